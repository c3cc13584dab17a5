# Releases: what a job ends in. None of these functions shows an original value of a hidden cell but
# confidential().

new_release <- function(pointer, job) {
  facts <- answer(.Call(wrap__release_facts, pointer))
  structure(c(list(pointer = pointer, look = job$look, totals = job$totals), facts), class = "quell_release")
}

verdict <- function(x) x$verdict

tables <- function(release) {
  lapply(answer(.Call(wrap__release_tables, release$pointer)), frame_of, look = release$look)
}

confidential <- function(x, ...) UseMethod("confidential")

confidential.quell_release <- function(x, ...) {
  lapply(answer(.Call(wrap__release_confidential, x$pointer)), frame_of, look = x$look)
}

length.quell_release <- function(x) length(tables(x))

names.quell_release <- function(x) names(tables(x))

`[[.quell_release` <- function(x, i) {
  # Its own parts by name, tables by place or by their name.
  if (is.character(i) && i %in% names(unclass(x))) return(unclass(x)[[i]])
  own <- tables(x)
  if (is.character(i) && !i %in% names(own)) {
    misuse(sprintf("there is no table %s", quoted(i)), sprintf("there are %s", quoted(names(own))))
  }
  own[[i]]
}

as.data.frame.quell_release <- function(x, row.names = NULL, optional = FALSE, ...) {
  plain <- lapply(answer(.Call(wrap__release_tables, x$pointer)), frame_of)
  if (length(plain) == 1) return(as_looked(plain[[1]], x$look))
  as_looked(together(plain, x$totals), x$look)
}

# Several tables as one frame: every dimension is a column, and a table that has it not shows its total.
together <- function(tables, totals) {
  last <- c("status", "note")
  parts <- lapply(names(tables), function(name) {
    table <- tables[[name]]
    own <- setdiff(names(table), last)
    response <- own[length(own)]
    dimensions <- own[-length(own)]
    for (other in setdiff(names(totals), dimensions)) table[[other]] <- totals[[other]]
    part <- data.frame(table = rep(name, nrow(table)))
    part[names(totals)] <- table[names(totals)]
    part$variable <- rep(response, nrow(table))
    part$value <- table[[response]]
    part[intersect(last, names(table))] <- table[intersect(last, names(table))]
    part
  })
  whole <- do.call(rbind, parts)
  responses <- unique(whole$variable)
  if (length(responses) == 1) {
    names(whole)[names(whole) == "value"] <- responses
    whole$variable <- NULL
  }
  whole
}

print.quell_release <- function(x, ...) {
  own <- unclass(x)
  cat("Release ", quoted(own$title), ": ", own$verdict, "\n", sep = "")
  for (name in names(tables(x))) cat("  ", name, "\n", sep = "")
  invisible(x)
}

summary.quell_release <- function(object, ...) {
  own <- unclass(object)
  structure(
    c(list(title = own$title, verdict = own$verdict, records = own$records, notes = own$notes), own$summary),
    class = "summary.quell_release"
  )
}

print.summary.quell_release <- function(x, ...) {
  cat(x$title, ": ", x$verdict, "\n", sep = "")
  if (!is.null(x$cells)) {
    cat(sprintf("  %d cells, %d sensitive, %d hidden beside them by %s (cost %g, at least %g)\n",
                x$cells, x$primaries, x$secondaries, x$method, x$cost, x$lower_bound))
    cat(sprintf("  of the sensitive: %d safe, %d exposed, %d undecided\n", x$safe, x$exposed, x$undecided))
  }
  for (note in x$notes) cat("  note: ", note, "\n", sep = "")
  invisible(x)
}

# A map of a table: what is published, what is hidden. It shows no value.
plot.quell_release <- function(x, which = 1, ..., colours = c(published = "#dfe8ef", hidden = "#c2543d")) {
  table <- as.data.frame(x[[which]])
  dimensions <- setdiff(names(table), c("status", "note"))
  dimensions <- dimensions[-length(dimensions)]
  rows <- factor(table[[dimensions[1]]], unique(table[[dimensions[1]]]))
  rest <- if (length(dimensions) > 1) do.call(paste, c(table[dimensions[-1]], sep = " / ")) else rep("", nrow(table))
  columns <- factor(rest, unique(rest))
  hidden <- matrix(NA_integer_, nlevels(columns), nlevels(rows))
  hidden[cbind(as.integer(columns), as.integer(rows))] <- 1L + is.na(table[[length(dimensions) + 1]])
  old <- par(mar = c(7, 7, 4, 1))
  on.exit(par(old))
  image(seq_len(nrow(hidden)), seq_len(ncol(hidden)), hidden[, rev(seq_len(ncol(hidden))), drop = FALSE],
        zlim = c(1, 2), col = colours, axes = FALSE, xlab = "", ylab = "", ...)
  name <- names(x)[if (is.numeric(which)) which else match(which, names(x))]
  title(sprintf("%s: %s", name, verdict(unclass(x))), line = 2.2)
  axis(1, seq_len(nlevels(columns)), levels(columns), las = 2, cex.axis = 0.7, tick = FALSE)
  axis(2, seq_len(nlevels(rows)), rev(levels(rows)), las = 1, cex.axis = 0.7, tick = FALSE)
  legend("top", names(colours), fill = colours, horiz = TRUE, inset = c(0, -0.1), xpd = TRUE, bty = "n")
  invisible(hidden == 2L)
}

report <- function(release, path = NULL, audience = c("public", "office")) {
  page <- answer(.Call(wrap__release_report, unclass(release)$pointer, match.arg(audience)))
  if (is.null(path)) return(page)
  writeLines(page, path, useBytes = TRUE)
  invisible(page)
}

write_release <- function(release, folder, unsafe_too = FALSE) {
  invisible(answer(.Call(wrap__release_write, unclass(release)$pointer, path.expand(folder), unsafe_too)))
}

audit <- function(x, ...) UseMethod("audit")

# What the audit of a release has found: for the office.
audit.quell_release <- function(x, ...) {
  own <- unclass(x)
  primaries <- answer(.Call(wrap__release_primaries, own$pointer))
  new_audit(own$verdict, if (!is.null(primaries)) frame_of(primaries))
}

new_audit <- function(verdict, primaries, intervals = NULL, text = NULL) {
  structure(
    list(verdict = verdict, safe = verdict == "safe", primaries = primaries, intervals = intervals, text = text),
    class = "quell_audit"
  )
}

as.data.frame.quell_audit <- function(x, row.names = NULL, optional = FALSE, ...) x$primaries

summary.quell_audit <- function(object, ...) {
  kinds <- c("safe", "exposed exactly", "exposed within", "undecided")
  table(factor(object$primaries$verdict, kinds), dnn = NULL)
}

print.quell_audit <- function(x, ...) {
  if (!is.null(x$text)) {
    cat(x$text)
    return(invisible(x))
  }
  cat(x$verdict, "\n", sep = "")
  if (!is.null(x$primaries)) {
    counts <- summary(x)
    for (kind in names(counts)) cat(sprintf("  %-16s %d\n", kind, counts[[kind]]))
  }
  invisible(x)
}
