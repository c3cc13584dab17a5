# For those who come from GaussSuppression: two of its functions with the arguments that they share.

SuppressSmallCounts <- function(data, maxN = 3, freqVar = NULL, dimVar = NULL, hierarchies = NULL,
                                formula = NULL, ..., time = NULL, seed = NULL, threads = NULL) {
  shown <- formula_of(data, dimVar, hierarchies, formula)
  release <- protect(data, shown, frequency = names_of(data, freqVar), hierarchies = named_hierarchies(hierarchies),
                     rules = frequency(maxN + 1), ..., time = time, seed = seed, threads = threads, progress = FALSE)
  with_flags(release)
}

SuppressDominantCells <- function(data, n = seq_along(k), k = NULL, pPercent = NULL, numVar = NULL,
                                  dimVar = NULL, hierarchies = NULL, formula = NULL, contributorVar = NULL,
                                  sWeightVar = NULL, ..., time = NULL, seed = NULL, threads = NULL) {
  shown <- formula_of(data, dimVar, hierarchies, formula)
  own <- if (!is.null(pPercent)) {
    p_percent(pPercent)
  } else if (length(k)) {
    do.call(rules, Map(dominance, n, k))
  } else {
    misuse("there is no rule", "give n and k, or pPercent")
  }
  release <- protect(data, shown, value = names_of(data, numVar), contributor = names_of(data, contributorVar),
                     weight = names_of(data, sWeightVar), hierarchies = named_hierarchies(hierarchies), rules = own,
                     ..., time = time, seed = seed, threads = threads, progress = FALSE)
  with_flags(release)
}

# Without a formula all variables are crossed.
formula_of <- function(data, dimVar, hierarchies, formula) {
  if (!is.null(formula)) return(formula)
  names <- if (!is.null(dimVar)) names_of(data, dimVar) else base::names(hierarchies)
  if (!length(names)) misuse("there are no dimensions", "give dimVar, hierarchies or formula")
  stats::as.formula(paste("~", paste(sprintf("`%s`", names), collapse = " * ")))
}

# "rowFactor", "Total" and "" there mean that all codes are directly below the total.
named_hierarchies <- function(hierarchies) {
  Filter(function(one) !(is.character(one) && length(one) == 1 && !file.exists(one)), hierarchies)
}

# All cells with `primary` and `suppressed`, as there; hidden values are missing.
with_flags <- function(release) {
  own <- unclass(release)
  parts <- answer(.Call(wrap__release_confidential, own$pointer))
  plain <- lapply(parts, frame_of)
  whole <- if (length(plain) == 1) plain[[1]] else together(plain, own$totals)
  whole$primary <- whole$status == "primary"
  whole$suppressed <- whole$status %in% c("primary", "secondary")
  value <- names(whole)[match("status", names(whole)) - 1]
  whole[[value]][whole$suppressed] <- NA
  whole$status <- NULL
  as_looked(whole, own$look)
}
