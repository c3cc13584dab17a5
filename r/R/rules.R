# Which cells are sensitive: rules by their own names, or as tau-ARGUS writes them.

rule <- function(key, parameters, repeats = FALSE) {
  structure(list(key = key, parameters = parameters, repeats = repeats), class = "quell_rule")
}

given <- function(...) Filter(Negate(is.null), list(...))

need_number <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value)) {
    misuse(sprintf("%s is not a number", name), "give one number")
  }
  value
}

p_percent <- function(p, n = NULL, q = NULL) {
  rule("p-percent", given(p = need_number(p, "p"), q = q, n = n), repeats = TRUE)
}

prior_posterior <- function(p, q, n = NULL) p_percent(p, n = n, q = need_number(q, "q"))

dominance <- function(n, k) {
  rule("dominance", list(n = need_number(n, "n"), k = need_number(k, "k")), repeats = TRUE)
}

frequency <- function(minimum, margin = NULL) {
  rule("frequency", given(minimum = need_number(minimum, "minimum"), margin = margin))
}

zero <- function(range) rule("zero", need_number(range, "range"))

holdings <- function(...) rule("holdings", unclass(rules(...)))

rules <- function(...) {
  single <- unlist(lapply(list(...), singles), recursive = FALSE)
  part <- list()
  for (one in single) {
    if (one$repeats) {
      part[[one$key]] <- c(part[[one$key]], list(one$parameters))
    } else if (!is.null(part[[one$key]])) {
      misuse(sprintf("there are two rules %s", one$key), "give one of them")
    } else {
      part[[one$key]] <- one$parameters
    }
  }
  structure(part, class = "quell_rules")
}

# Single rules out of whatever is taken for rules.
singles <- function(rule) {
  if (inherits(rule, "quell_rule")) return(list(rule))
  if (inherits(rule, "quell_rules")) {
    repeats <- c("p-percent", "dominance")
    lists <- lapply(names(rule), function(key) {
      if (!key %in% repeats) return(list(rule(key, rule[[key]])))
      lapply(rule[[key]], function(parameters) rule(key, parameters, TRUE))
    })
    return(unlist(lists, recursive = FALSE))
  }
  if (is.character(rule)) return(of_argus(paste(rule, collapse = "|")))
  misuse(
    "this is no rule",
    "give p_percent(10), frequency(3) and the like, or a text such as \"P(10,1)|FREQ(3,20)\""
  )
}

# The rules of a <SAFETYRULE>: the third and fourth P and NK, and the second FREQ, are on holdings;
# those with a first 0 only hold a place.
of_argus <- function(text) {
  own <- list()
  of_holdings <- list()
  seen <- integer()
  for (word in Filter(nzchar, trimws(strsplit(text, "|", fixed = TRUE)[[1]]))) {
    match <- regmatches(word, regexec("^([A-Za-z]+)\\s*\\(([^()]*)\\)$", word))[[1]]
    numbers <- if (length(match)) suppressWarnings(as.numeric(strsplit(match[3], ",")[[1]]))
    name <- if (length(match)) toupper(match[2]) else ""
    one <- if (length(numbers) && !anyNA(numbers)) one_of_argus(name, numbers)
    if (is.null(one)) {
      misuse(
        sprintf("%s is no rule of tau-ARGUS that can be given here", quoted(word)),
        "give P(p,n), P(p,q,n), NK(n,k), FREQ(minimum,margin) or ZERO(range)"
      )
    }
    place <- seen[name] <- if (is.na(seen[name])) 1L else seen[[name]] + 1L
    if (numbers[1] == 0 && name != "ZERO") next
    if (place > (if (name == "FREQ") 1 else 2)) {
      of_holdings <- c(of_holdings, list(one))
    } else {
      own <- c(own, list(one))
    }
  }
  if (length(of_holdings)) own <- c(own, list(do.call(holdings, of_holdings)))
  own
}

one_of_argus <- function(name, numbers) {
  count <- length(numbers)
  if (name == "P" && count == 1) return(p_percent(numbers[1]))
  if (name == "P" && count == 2) return(p_percent(numbers[1], n = numbers[2]))
  if (name == "P" && count == 3) return(p_percent(numbers[1], q = numbers[2], n = numbers[3]))
  if (name == "NK" && count == 2) return(dominance(numbers[1], numbers[2]))
  if (name == "FREQ" && count == 2) return(frequency(numbers[1], numbers[2]))
  if (name == "ZERO" && count == 1) return(zero(numbers[1]))
  NULL
}

print.quell_rules <- function(x, ...) {
  for (key in names(x)) {
    parts <- if (key %in% c("p-percent", "dominance")) x[[key]] else list(x[[key]])
    for (part in parts) {
      part <- unlist(part)
      labels <- if (is.null(names(part))) part else paste(names(part), "=", part)
      cat(key, ": ", paste(labels, collapse = ", "), "\n", sep = "")
    }
  }
  invisible(x)
}
