# For those who come from rtauargus: tab_rtauargus(), without tau-ARGUS and without files.

tab_rtauargus <- function(tabular, files_name = NULL, dir_name = NULL, explanatory_vars, hrc = NULL,
                          totcode = "Total", secret_var = NULL, cost_var = NULL, value = "value",
                          freq = NULL, maxscore = NULL, safety_rules = "MAN(10)",
                          suppress = "MOD(1,5,1,0,0)", show_batch_console = FALSE, ..., decimals = NULL,
                          time = NULL, seed = NULL, threads = NULL, unsafe_too = FALSE) {
  need_frame(tabular, "tabular")
  if (is.null(names(totcode)) && length(totcode) == 1) {
    totcode <- stats::setNames(rep(totcode, length(explanatory_vars)), explanatory_vars)
  }
  unknown <- setdiff(c(names(hrc), names(totcode)), explanatory_vars)
  if (length(unknown)) {
    misuse(sprintf("%s is not among explanatory_vars", quoted(unknown[1])), sprintf("they are %s", quoted(explanatory_vars)))
  }
  need_columns(tabular, c(explanatory_vars, secret_var, cost_var, value, freq, maxscore), "tabular")
  plain <- as.data.frame(tabular)
  plain[explanatory_vars] <- lapply(plain[explanatory_vars], as.character)
  rules <- rules_of_argus(safety_rules)
  status <- levels <- NULL
  if (!is.null(secret_var)) {
    if (length(rules$others)) {
      misuse("there are both secret_var and rules", "give secret_var with MAN(10), or rules with freq and maxscore")
    }
    status <- "quell status"
    plain[[status]] <- ifelse(plain[[secret_var]] %in% TRUE, "primary", "safe")
    levels <- rep("quell level", 2)
    plain[[levels[1]]] <- abs(plain[[value]]) * rules$margin / 100
  }
  if (is.null(decimals)) decimals <- decimals_of(plain[[value]])
  dimensions <- stats::setNames(lapply(explanatory_vars, function(name) if (name %in% names(hrc)) hrc[[name]]), explanatory_vars)
  table <- sdc_table(plain, dimensions, value, status = status, frequency = freq, top = maxscore, cost = cost_var,
                     levels = levels, decimals = decimals, rules = rules$others, total = totcode)
  done <- suppress(
    table, method = method_of_argus(suppress), time = time, seed = seed, threads = threads,
    progress = isTRUE(show_batch_console)
  )
  if (!done$safe && !unsafe_too) {
    raise("quell_not_safe", paste(c(sprintf("the table is not proven safe (%s)", done$verdict), done$notes), collapse = "; "),
          advice = "give it more time, leave freq out to test against outsiders only, or unsafe_too = TRUE to look at it",
          suppressed = done)
  }
  with_status(tabular, explanatory_vars, value, done$cells, audited_primaries(table, explanatory_vars))
}

# The decimals that values have, but not those that arithmetic in doubles leaves behind.
decimals_of <- function(values) {
  known <- values[!is.na(values)]
  is_enough <- function(decimals) all(abs(round(known, decimals) - known) <= 1e-9 * pmax(1, abs(known)))
  Find(is_enough, 0:4, nomatch = 4)
}

# The letters of tau-ARGUS: B sensitive, D hidden beside them, V published.
with_status <- function(tabular, dimensions, value, cells, primaries) {
  key <- function(frame) do.call(paste, c(lapply(as.data.frame(frame)[dimensions], as.character), sep = "\r"))
  place <- match(key(tabular), key(cells))
  hidden <- cells$status[place] == "hidden"
  tabular$Status <- ifelse(!hidden, "V", ifelse(key(tabular) %in% primaries, "B", "D"))
  tabular[[value]][hidden] <- NA
  tabular
}

# The codes of the sensitive cells: those that the table itself hides.
audited_primaries <- function(table, dimensions) {
  own <- as.data.frame(as.data.frame(table))
  hidden <- own[own$status == "hidden", dimensions, drop = FALSE]
  do.call(paste, c(lapply(hidden, as.character), sep = "\r"))
}

# "MAN(10)": protection levels of what secret_var says, in percent; all other rules are on contributors.
rules_of_argus <- function(safety_rules) {
  words <- trimws(strsplit(paste(safety_rules, collapse = "|"), "|", fixed = TRUE)[[1]])
  manual <- grepl("^MAN\\(", words, ignore.case = TRUE)
  margin <- suppressWarnings(as.numeric(sub("^MAN\\((.*)\\)$", "\\1", words[manual], ignore.case = TRUE)))
  if (anyNA(margin)) misuse(sprintf("%s is no rule", quoted(words[manual][1])), "give MAN(10) and the like")
  others <- words[!manual & nzchar(words)]
  list(margin = c(margin, 10)[1], others = if (length(others)) rules(paste(others, collapse = "|")))
}

# tau-ARGUS has four methods; ours are others, by the way they work.
method_of_argus <- function(suppress) {
  word <- toupper(sub("\\(.*", "", suppress))
  methods <- c(GH = "hypercube", MOD = "auto", OPT = "exact", NET = "auto")
  if (word %in% names(methods)) return(methods[[word]])
  if (suppress %in% methods_of()) return(suppress)
  misuse(sprintf("there is no method %s", quoted(suppress)), "give MOD(1,5,1,0,0), GH(1,100), OPT(1,5), or one of methods_of()")
}
