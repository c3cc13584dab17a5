# Formulas: which tables are made. `a*b` is a table of a and b with all its totals; `+` stands between
# tables; parentheses and `^` are multiplied out.

# The dimensions of each table, in the order of the formula.
tables_of <- function(formula) {
  if (!inherits(formula, "formula") || length(formula) != 2) {
    misuse("this is no formula with one side", "give one such as ~ industry*region + industry*size")
  }
  tables <- products(formula[[2]])
  # What another table has as totals needs no table of its own.
  inner <- vapply(seq_along(tables), function(own) {
    any(vapply(seq_along(tables), function(other) {
      other != own && all(tables[[own]] %in% tables[[other]]) &&
        (length(tables[[own]]) < length(tables[[other]]) || other < own)
    }, NA))
  }, NA)
  tables[!inner]
}

products <- function(term) {
  if (is.name(term)) return(list(as.character(term)))
  if (!is.call(term)) misuse(sprintf("%s is no dimension", deparse(term)), "give names of columns")
  sign <- as.character(term[[1]])
  if (sign == "(") return(products(term[[2]]))
  if (sign == "+") return(c(products(term[[2]]), products(term[[3]])))
  if (sign == "*") return(times(products(term[[2]]), products(term[[3]])))
  if (sign == "^" && is.numeric(term[[3]])) {
    base <- products(term[[2]])
    return(Reduce(times, rep(list(base), term[[3]])))
  }
  advice <- if (sign == ":") {
    "use *: a table always shows its totals, because they are what makes cells unsafe"
  } else {
    "use +, *, ^ and parentheses"
  }
  misuse(sprintf("%s in a formula of tables", quoted(sign)), advice)
}

times <- function(left, right) {
  unlist(lapply(left, function(one) lapply(right, function(other) unique(c(one, other)))), recursive = FALSE)
}
