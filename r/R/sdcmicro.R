# For those who come from sdcMicro: its functions with the same arguments.

freqCalc <- function(x, keyVars, w = NULL, alpha = 1) {
  need_frame(x, "x")
  if (alpha != 1) {
    misuse("alpha is not 1", "a missing value is taken for any value here; leave alpha out")
  }
  keys <- names_of(x, keyVars)
  weight <- names_of(x, w)
  found <- answer(.Call(wrap__record_frequencies, columns_of(x, unique(c(keys, weight))), keys, weight))
  structure(
    list(
      freqCalc = x, keyVars = keyVars, w = w, alpha = alpha, fk = found$sample, Fk = found$population,
      n1 = sum(found$sample == 1), n2 = sum(found$sample == 2)
    ),
    class = "quell_freq"
  )
}

# Columns by name or by place.
names_of <- function(data, which) {
  if (is.null(which)) return(NULL)
  if (is.numeric(which)) {
    if (any(which < 1 | which > ncol(data))) {
      misuse(sprintf("there is no column %d", which[which < 1 | which > ncol(data)][1]),
             sprintf("there are %d", ncol(data)))
    }
    return(names(data)[which])
  }
  need_columns(data, which)
}

print.quell_freq <- function(x, ...) {
  cat(sprintf("%d records are alone with their values, %d are two of a kind\n", x$n1, x$n2))
  invisible(x)
}

localSuppression <- function(obj, k = 2, keyVars, importance = NULL, combs = NULL, ...) {
  need_frame(obj, "obj")
  keys <- names_of(obj, keyVars)
  check <- if (is.null(combs)) {
    list(all_together = TRUE, threshold = k[1])
  } else {
    list(combinations = combinations_of(keys, combs, k))
  }
  if (!is.null(importance)) check$importance <- importance_of(keys, importance)
  # Values are hidden to be taken for any value, as freqCalc() counts them.
  found <- do.call(micro_suppress, c(list(obj, keys, meaning = "wildcard"), check, list(...)))
  hidden <- vapply(keys, function(key) sum(is.na(found$records[[key]])) - sum(is.na(obj[[key]])), 0L)
  structure(
    list(
      xAnon = found$records, supps = as.data.frame(as.list(hidden), optional = TRUE), totalSupps = hidden,
      anonymity = found$safe, keyVars = keyVars, importance = importance, k = k, text = found$text
    ),
    class = "quell_anonymity"
  )
}

kAnon <- function(obj, keyVars, strataVars = NULL, importance = NULL, combs = NULL, k = 2, ...) {
  if (is.null(strataVars)) {
    return(localSuppression(obj, k = k, keyVars = keyVars, importance = importance, combs = combs, ...))
  }
  need_frame(obj, "obj")
  strata <- names_of(obj, strataVars)
  # The strata are known of every record: each combination is one of a stratum.
  groups <- split(seq_len(nrow(obj)), as.data.frame(obj)[strata], drop = TRUE)
  parts <- lapply(groups, function(rows) {
    localSuppression(as.data.frame(obj)[rows, , drop = FALSE], k = k, keyVars = keyVars, importance = importance,
                     combs = combs, ...)
  })
  whole <- do.call(rbind, lapply(parts, function(part) part$xAnon))
  whole <- whole[order(unlist(groups)), , drop = FALSE]
  rownames(whole) <- NULL
  total <- Reduce(`+`, lapply(parts, function(part) part$totalSupps))
  structure(
    list(
      xAnon = as_looked(whole, list(class = class(obj))), supps = as.data.frame(as.list(total), optional = TRUE),
      totalSupps = total, anonymity = all(vapply(parts, function(part) part$anonymity, NA)), keyVars = keyVars,
      importance = importance, k = k
    ),
    class = "quell_anonymity"
  )
}

# All combinations of so many keys, each with its threshold.
combinations_of <- function(keys, combs, k) {
  if (length(k) == 1) k <- rep(k, length(combs))
  if (length(k) != length(combs)) misuse("combs and k are not of one length", "give one k for each of combs")
  if (any(combs > length(keys))) {
    misuse(sprintf("combs asks for combinations of %d keys", max(combs)), sprintf("there are %d", length(keys)))
  }
  lists <- lapply(seq_along(combs), function(place) {
    utils::combn(keys, combs[place], function(own) {
      list(keys = as.list(own), threshold = k[place])
    }, simplify = FALSE)
  })
  unlist(lists, recursive = FALSE)
}

# sdcMicro ranks: 1 is the variable that should be hidden least. Here each has a cost.
importance_of <- function(keys, importance) {
  if (length(importance) != length(keys)) {
    misuse("importance has another length than keyVars", "give one number for each key")
  }
  stats::setNames(as.list(max(importance) + 1 - importance), keys)
}

print.quell_anonymity <- function(x, ...) {
  cat(if (x$anonymity) "safe" else "not safe", ": values hidden\n", sep = "")
  for (key in names(x$totalSupps)) cat(sprintf("  %-16s %d\n", key, x$totalSupps[[key]]))
  invisible(x)
}
