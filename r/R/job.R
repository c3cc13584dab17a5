# Jobs: what to protect, and how. A job is the text of a job file and the records it is about; the
# command runs the same text and writes the same bytes.

# What the data are called in the text of a job if they are in memory.
in_memory <- "records"

job <- function(data, formula, value = NULL, contributor = NULL, holding = NULL, weight = NULL,
                frequency = NULL, hierarchies = NULL, rules = NULL, total = "Total", missing = NULL, cost = NULL,
                method = NULL, title = NULL, ...) {
  shown <- tables_of(formula)
  dimensions <- unique(unlist(shown))
  roles <- list(
    respondent = need_one(contributor, "contributor"), holding = need_one(holding, "holding"),
    weight = need_one(weight, "weight")
  )
  if (is.character(data)) {
    if (length(data) != 1 || !file.exists(data)) {
      misuse(sprintf("there is no file %s", data[1]), "check the name of the data")
    }
    records <- list()
    source <- normalizePath(data)
    look <- list()
  } else {
    need_frame(data)
    need_known(data, dimensions, value, cost, roles)
    cost_column <- if (length(cost) == 1 && cost %in% names(data)) cost
    frequency <- need_one(frequency, "frequency")
    columns <- columns_of(data, unique(c(dimensions, value, unlist(roles), cost_column, frequency)))
    need_complete(columns, dimensions)
    records <- stats::setNames(list(columns), in_memory)
    source <- in_memory
    look <- look_of(as.data.frame(data)[dimensions])
    look$class <- class(data)
  }
  folder <- private_folder()
  parts <- dimension_parts(dimensions, hierarchies, folder, total)
  data_part <- list(data = c(list(file = source), given(
    respondent = roles$respondent, holding = roles$holding, weight = roles$weight,
    missing = if (length(missing)) lapply(missing, as.list)
  )))
  made <- table_parts(shown, value, cost)
  if (!is.null(frequency)) {
    if (length(records) == 0 || length(c(value, unlist(roles)))) {
      misuse("rows that are counts have no values and no contributors", "give frequency without value, contributor and weight")
    }
    records <- lapply(shown, function(dimensions) counted(columns, dimensions, frequency))
    names(records) <- vapply(made, function(table) table$name, "")
    made <- lapply(made, function(table) c(table, list(given = list(file = table$name, frequency = frequency))))
    data_part <- NULL
    # What the library calls the values of such tables.
    look$names <- list(frequency = frequency)
  }
  part <- c(
    given(title = title),
    data_part,
    list(dimension = parts$parts, table = made),
    if (!is.null(rules)) list(rules = unclass_rules(rules)),
    sections(list(...), method)
  )
  new_job(answer(.Call(wrap__job_text, part)), folder, records, look, parts$totals)
}

# Rows that are counts, one for each combination of codes.
counted <- function(columns, dimensions, frequency) {
  codes <- lapply(columns[dimensions], as.character)
  counts <- stats::aggregate(stats::setNames(columns[frequency], frequency), codes, sum)
  as.list(counts)
}

unclass_rules <- function(own) unclass(rules(own))

# `total` may be one text, or one per dimension by name.
dimension_parts <- function(dimensions, hierarchies, folder, total) {
  unknown <- setdiff(names(hierarchies), dimensions)
  if (length(unknown)) {
    misuse(sprintf("there is a hierarchy of %s, which no table shows", quoted(unknown[1])),
           sprintf("the formula shows %s", quoted(dimensions)))
  }
  if (length(hierarchies) && is.null(names(hierarchies))) {
    misuse("the hierarchies have no names", "give a list such as list(region = ...)")
  }
  totals <- character()
  parts <- lapply(dimensions, function(name) {
    own <- total_of(total, name)
    hierarchy <- hierarchy_of(hierarchies[[name]], name, folder, own)
    totals[[name]] <<- hierarchy$total
    c(
      list(name = name),
      if (length(hierarchy$files)) list(hierarchy = as.list(hierarchy$files)),
      if (hierarchy$total != "Total") list(total = hierarchy$total)
    )
  })
  list(parts = parts, totals = totals)
}

total_of <- function(total, name) {
  if (is.null(names(total))) return(total[[1]])
  if (name %in% names(total)) total[[name]] else "Total"
}

table_parts <- function(shown, value, cost) {
  responses <- if (length(value)) as.list(value) else list(NULL)
  tables <- lapply(responses, function(response) lapply(shown, function(dimensions) {
    name <- paste(if (is.null(response)) "records" else response, "by", paste(dimensions, collapse = " and "))
    c(
      list(name = name, dimensions = as.list(dimensions)),
      given(response = response),
      cost_part(cost)
    )
  }))
  unlist(tables, recursive = FALSE)
}

# One of the words for costs, or the column that tells them.
cost_part <- function(cost) {
  if (is.null(cost)) return(NULL)
  words <- c("unity", "value", "frequency", "digits", "information", "inverse", "rounded-size", "distance")
  if (cost %in% words) list(cost = cost) else list("cost-variable" = cost)
}

# Further sections of a job: protect = list(...), release = list(...) and so on.
sections <- function(more, method) {
  known <- c("protect", "adjust", "attacker", "release", "report", "equation")
  unknown <- setdiff(names(more), known)
  if (length(unknown) || (length(more) && is.null(names(more)))) {
    misuse(sprintf("there is no argument %s", if (length(unknown)) quoted(unknown[1]) else "without a name"),
           sprintf("sections of a job are %s", quoted(known)))
  }
  if (!is.null(method)) more$protect <- c(list(method = method), more$protect)
  lapply(more, function(section) {
    if (!is.null(names(section))) names(section) <- gsub("_", "-", names(section), fixed = TRUE)
    section
  })
}

need_known <- function(data, dimensions, value, cost, roles) {
  need_columns(data, c(dimensions, value, unlist(roles)))
  for (name in c(value, roles$weight)) {
    column <- data[[name]]
    if (!is.numeric(column)) {
      misuse(sprintf("column %s is of type %s, not numbers", quoted(name), class(column)[1]),
             "give a column of numbers")
    }
  }
  weights <- if (!is.null(roles$weight)) data[[roles$weight]]
  if (any(weights < 0, na.rm = TRUE)) {
    misuse(sprintf("record %d has a negative weight", which(weights < 0)[1]), "give weights of 0 or more")
  }
}

# A missing code is no place in a table.
need_complete <- function(columns, dimensions) {
  for (name in dimensions) {
    lost <- which(is.na(columns[[name]]))
    if (length(lost)) {
      misuse(
        sprintf("%s is missing in %d record%s, first in record %d", quoted(name), length(lost),
                if (length(lost) == 1) "" else "s", lost[1]),
        "leave these records out, or give them a code of their own"
      )
    }
  }
}

# Classifications may be confidential: the session's folder is private to its user.
private_folder <- function() {
  folder <- tempfile("quell-")
  dir.create(folder, mode = "0700")
  folder
}

new_job <- function(text, folder, records, look = list(), totals = character()) {
  structure(list(text = text, folder = folder, records = records, look = look, totals = totals),
            class = "quell_job")
}

print.quell_job <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

read_job <- function(path, ...) {
  if (!file.exists(path)) misuse(sprintf("there is no file %s", path), "check the name of the job")
  path <- normalizePath(path)
  text <- if (tolower(tools::file_ext(path)) == "arb") {
    answer(.Call(wrap__job_of_arb, path))
  } else {
    paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  }
  frames <- list(...)
  records <- lapply(frames, function(data) {
    need_frame(data)
    columns_of(data)
  })
  new_job(text, dirname(path), records)
}

first_job <- function(path) {
  if (!file.exists(path)) misuse(sprintf("there is no file %s", path), "check the name of the data")
  path <- normalizePath(path)
  answer(.Call(wrap__first_job, path, dirname(path)))
}

write_job <- function(job, path) {
  text <- job$text
  # Hierarchies that were no files yet are written beside it.
  for (own in list.files(job$folder, "\\.csv$", full.names = TRUE)) {
    if (!grepl(own, text, fixed = TRUE)) next
    beside <- paste0(tools::file_path_sans_ext(basename(path)), "-", basename(own))
    file.copy(own, file.path(dirname(path), beside), overwrite = TRUE)
    text <- gsub(own, beside, text, fixed = TRUE)
  }
  connection <- file(path, "wb")
  on.exit(close(connection))
  writeBin(charToRaw(enc2utf8(text)), connection)
  invisible(path)
}

tabulate_job <- function(job, time = NULL, threads = NULL, progress = FALSE) {
  on.exit(end_progress(progress))
  tables <- answer(.Call(
    wrap__tabulate_job, job$text, job$folder, job$records, limits_of(time, threads = threads), teller(progress)
  ))
  lapply(tables, frame_of, look = job$look)
}

protect_job <- function(job, time = NULL, work = NULL, seed = NULL, threads = NULL, method = NULL,
                        progress = FALSE, unsafe_too = FALSE) {
  on.exit(end_progress(progress))
  done <- answer(.Call(
    wrap__protect_job, job$text, job$folder, job$records, limits_of(time, work, seed, threads), method,
    teller(progress)
  ))
  release <- new_release(done$release, job)
  if (release$safe || unsafe_too) {
    if (done$interrupted) {
      warning("stopped early; this is the best that is proven safe", call. = FALSE)
    }
    return(release)
  }
  if (done$interrupted) raise("quell_interrupted", "stopped; nothing is proven safe yet")
  raise(
    "quell_not_safe", sprintf("the release is not proven safe (%s)", release$verdict),
    advice = "give it more time, or look at it: the condition has it as $release", release = release
  )
}

protect <- function(data, formula, value = NULL, contributor = NULL, hierarchies = NULL, rules = NULL,
                    ..., time = NULL, work = NULL, seed = NULL, threads = NULL, progress = interactive(),
                    unsafe_too = FALSE) {
  own <- job(data, formula, value = value, contributor = contributor, hierarchies = hierarchies,
             rules = rules, ...)
  protect_job(own, time = time, work = work, seed = seed, threads = threads, progress = progress,
              unsafe_too = unsafe_too)
}
