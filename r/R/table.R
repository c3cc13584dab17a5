# One table that is there already: audited, suppressed, adjusted, unpicked, compared.

sdc_table <- function(frame, dimensions, value = NULL, status = NULL, frequency = NULL, top = NULL,
                      cost = NULL, levels = NULL, decimals = NULL, rules = NULL, contributors = NULL,
                      total = "Total") {
  need_frame(frame, "the table")
  hierarchies <- if (is.list(dimensions)) dimensions else list()
  names <- if (is.list(dimensions)) base::names(dimensions) else dimensions
  if (!is.character(names) || !length(names)) {
    misuse("there are no dimensions", "give the names of columns, or a list of hierarchies with names")
  }
  used <- unique(c(names, value, status, frequency, top, cost, levels))
  columns <- columns_of(frame, used)
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  parts <- lapply(names, function(name) {
    own <- hierarchy_of(hierarchies[[name]], name, folder, total_of(total, name))
    list(column = name, total = own$total, hierarchies = as.list(own$files))
  })
  of <- c(
    list(dimensions = parts, top = as.list(top)),
    given(
      value = value, status = status, frequency = frequency, cost = cost, lower = levels[1][length(levels) > 0],
      upper = levels[2][length(levels) > 1], decimals = decimals, contributors = contributors,
      rules = if (!is.null(rules)) rules_part(rules)
    )
  )
  of <- Filter(function(part) !is.character(part) || length(part), of)
  pointer <- answer(.Call(wrap__table_new, columns, of))
  look <- look_of(as.data.frame(frame)[names])
  look$class <- class(frame)
  structure(
    c(list(pointer = pointer, look = look, dimensions = names), answer(.Call(wrap__table_facts, pointer))),
    class = "quell_table"
  )
}

# Rules, or the keys of [rules] in a job as they are.
rules_part <- function(own) {
  if (is.list(own) && !inherits(own, c("quell_rule", "quell_rules")) && !is.null(names(own))) return(own)
  unclass_rules(own)
}

print.quell_table <- function(x, ...) {
  cat(sprintf("Table by %s: %d cells, %d sensitive\n", paste(x$dimensions, collapse = " and "), x$cells, x$primaries))
  invisible(x)
}

as.data.frame.quell_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame_of(answer(.Call(wrap__table_cells, x$pointer, FALSE)), x$look)
}

confidential.quell_table <- function(x, ...) {
  frame_of(answer(.Call(wrap__table_cells, x$pointer, TRUE)), x$look)
}

audit.quell_table <- function(x, contributors = FALSE, intervals = FALSE, time = NULL, threads = NULL,
                              progress = FALSE, ...) {
  on.exit(end_progress(progress))
  found <- answer(.Call(
    wrap__table_audit, x$pointer, limits_of(time, threads = threads), contributors, intervals, teller(progress)
  ))
  intervals <- if (!is.null(found$intervals)) frame_of(found$intervals)
  new_audit(found$verdict, frame_of(found$primaries), intervals, found$text)
}

suppress <- function(table, method = "auto", time = NULL, work = NULL, seed = NULL, threads = NULL,
                     progress = FALSE) {
  need_table(table)
  on.exit(end_progress(progress))
  found <- answer(.Call(
    wrap__table_suppress, table$pointer, limits_of(time, work, seed, threads), method, teller(progress)
  ))
  if (found$interrupted) {
    if (!found$safe) raise("quell_interrupted", "stopped; nothing is proven safe yet")
    warning("stopped early; this is the best that is proven safe", call. = FALSE)
  }
  found$cells <- frame_of(found$cells, table$look)
  structure(found, class = "quell_suppressed")
}

need_table <- function(table) {
  if (!inherits(table, "quell_table")) misuse("this is no table", "make one with sdc_table()")
}

print.quell_suppressed <- function(x, ...) {
  cat(sprintf("%s: %d cells hidden beside %d sensitive ones, cost %g\n", x$verdict, x$summary$secondaries,
              x$summary$primaries, x$summary$cost))
  for (note in x$notes) cat("  note: ", note, "\n", sep = "")
  invisible(x)
}

as.data.frame.quell_suppressed <- function(x, row.names = NULL, optional = FALSE, ...) x$cells

summary.quell_suppressed <- function(object, ...) object$summary

adjust <- function(table, method = "exact", ..., time = NULL, work = NULL, seed = NULL, threads = NULL,
                   progress = FALSE) {
  need_table(table)
  on.exit(end_progress(progress))
  options <- list(...)
  names(options) <- gsub("_", "-", names(options), fixed = TRUE)
  # An empty list without names would be a list of nothing, not options.
  if (!length(options)) options <- stats::setNames(list(), character())
  found <- answer(.Call(
    wrap__table_adjust, table$pointer, limits_of(time, work, seed, threads), method, options, teller(progress)
  ))
  if (!found$safe) {
    raise("quell_not_safe", "the adjusted table is not safe", advice = "give it more time, or another method")
  }
  frame <- frame_of(found$cells, table$look)
  attr(frame, "summary") <- found$summary
  frame
}

compare_methods <- function(table, methods = character(), time = NULL, work = NULL, seed = NULL, threads = NULL,
                    progress = FALSE) {
  need_table(table)
  on.exit(end_progress(progress))
  rows <- answer(.Call(
    wrap__table_compare, table$pointer, limits_of(time, work, seed, threads), as.character(methods), teller(progress)
  ))
  columns <- unique(unlist(lapply(rows, names)))
  frames <- lapply(rows, function(row) {
    row <- lapply(row[columns], function(value) if (length(value) == 1) value else NA)
    as.data.frame(stats::setNames(row, columns), stringsAsFactors = FALSE)
  })
  do.call(rbind, frames)
}

unpick <- function(table) {
  need_table(table)
  answer(.Call(wrap__table_unpick, table$pointer))
}

write_table <- function(table, path) {
  need_table(table)
  answer(.Call(wrap__table_write, table$pointer, path.expand(path)))
  invisible(path)
}

methods_of <- function(approach = c("suppress", "adjust")) {
  answer(.Call(wrap__methods))[[match.arg(approach)]]
}
