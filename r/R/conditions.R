# What goes wrong: conditions with classes, which say what, where and what to do.

# The value of a call of the compiled part, or the condition that it stands for.
answer <- function(value) {
  if (inherits(value, "quell_failure")) {
    raise(value$class, value$what, value$where, value$advice)
  }
  value
}

raise <- function(class, what, where = NULL, advice = NULL, ...) {
  message <- paste(c(where, what), collapse = ": ")
  if (length(advice) && nzchar(advice)) message <- sprintf("%s (%s)", message, advice)
  kinds <- c(class, "quell_error", if (class == "quell_interrupted") "interrupt", "error", "condition")
  stop(structure(
    class = kinds,
    list(message = message, call = NULL, what = what, where = where, advice = advice, ...)
  ))
}

misuse <- function(what, advice) raise("quell_misuse", what, advice = advice)

quoted <- function(names) paste0("\"", names, "\"", collapse = ", ")

# Refuses names that are not there, with a guess at what was meant.
need_columns <- function(data, names, what = "the data") {
  missing <- setdiff(names, names(data))
  if (!length(missing)) return(invisible(names))
  known <- names(data)
  far <- utils::adist(missing[1], known, ignore.case = TRUE)
  close <- if (length(known) && min(far) <= max(2, nchar(missing[1]) %/% 3)) known[which.min(far)]
  advice <- if (length(close)) {
    sprintf("did you mean %s?", quoted(close))
  } else {
    sprintf("there are %s", quoted(utils::head(known, 12)))
  }
  misuse(sprintf("%s have no column %s", what, quoted(missing[1])), advice)
}

need_one <- function(value, what) {
  if (is.null(value)) return(NULL)
  if (!is.character(value) || length(value) != 1 || is.na(value)) {
    misuse(sprintf("%s is not the name of one column", what), "give one text")
  }
  value
}
