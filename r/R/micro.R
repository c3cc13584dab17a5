# Records to be released themselves: risk, local suppression, recoding.

micro_risk <- function(data, keys, ..., sensitive = NULL, suda = NULL, progress = FALSE) {
  risk <- given(sensitive = if (length(sensitive)) as.list(sensitive), suda = suda)
  micro(data, keys, "risk", list(...), if (length(risk)) list(risk = risk), progress)
}

micro_suppress <- function(data, keys, ..., progress = FALSE) {
  micro(data, keys, "suppress", list(...), NULL, progress)
}

micro_recode <- function(data, keys, ..., progress = FALSE) {
  more <- list(...)
  own <- c("apply", "top", "bottom", "ladder", "truncate", "measure", "losses")
  recode <- more[names(more) %in% own]
  for (name in intersect(names(recode), "truncate")) recode[[name]] <- as.list(recode[[name]])
  part <- if (length(recode)) list(recode = recode)
  micro(data, keys, "recode", more[!names(more) %in% own], part, progress)
}

# One task on records: the keys of [micro] in a job, and limits.
micro <- function(data, keys, task, more, part, progress) {
  need_frame(data)
  if (!is.character(keys) || !length(keys)) misuse("there are no keys", "give the names of columns")
  if (length(more) && (is.null(names(more)) || any(!nzchar(names(more))))) {
    misuse("an argument has no name", "give threshold = 3 and the like")
  }
  is_limit <- names(more) %in% c("time", "work", "seed", "threads")
  limits <- do.call(limits_of, more[is_limit])
  more <- more[!is_limit]
  names(more) <- gsub("_", "-", names(more), fixed = TRUE)
  need_columns(data, unique(c(keys, more$weight, more$household)))
  lists <- intersect(names(more), c("household-keys", "combinations"))
  more[lists] <- lapply(more[lists], as.list)
  more$missing <- if (length(more$missing)) lapply(more$missing, as.list)
  text <- answer(.Call(wrap__job_text, list(
    micro = c(list(file = in_memory, task = task, keys = as.list(keys)), more, part)
  )))
  records <- stats::setNames(list(columns_of(data)), in_memory)
  on.exit(end_progress(progress))
  done <- answer(.Call(wrap__protect_job, text, tempdir(), records, limits, NULL, teller(progress)))
  facts <- answer(.Call(wrap__release_facts, done$release))
  found <- answer(.Call(wrap__release_micro, done$release))
  released <- if (!is.null(found$records)) like(frame_of(found$records), data)
  structure(
    list(safe = facts$safe, summary = found$summary, text = found$text, records = released),
    class = "quell_micro"
  )
}

# Released records in the types of the original ones.
like <- function(released, data) {
  for (name in names(data)) {
    own <- data[[name]]
    if (is.factor(own)) {
      released[[name]] <- factor(released[[name]], levels(own), ordered = is.ordered(own))
    } else if (is.logical(own)) {
      released[[name]] <- as.logical(released[[name]])
    } else if (inherits(own, "Date")) {
      released[[name]] <- as.Date(released[[name]])
    } else if (is.integer(own) && is.null(attributes(own)) && is.numeric(released[[name]])) {
      released[[name]] <- as.integer(released[[name]])
    }
  }
  as_looked(released[names(data)], list(class = class(data)))
}

print.quell_micro <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

summary.quell_micro <- function(object, ...) object$summary

as.data.frame.quell_micro <- function(x, row.names = NULL, optional = FALSE, ...) {
  if (is.null(x$records)) {
    misuse("measuring risk releases no records", "call micro_suppress() or micro_recode()")
  }
  x$records
}
