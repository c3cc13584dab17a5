# Data frames on their way in and out.

# The columns of a data frame as the compiled part takes them: numbers, texts and factors.
columns_of <- function(data, used = names(data)) {
  need_frame(data)
  need_columns(data, used)
  columns <- lapply(used, function(name) column_of(data[[name]], name))
  names(columns) <- enc2utf8(used)
  columns
}

need_frame <- function(data, what = "data") {
  if (!is.data.frame(data)) {
    misuse(
      sprintf("%s is a %s, not a data frame", what, class(data)[1]),
      "give a data.frame, a data.table or a tibble"
    )
  }
  twice <- anyDuplicated(names(data))
  if (twice) {
    misuse(sprintf("two columns of %s are called %s", what, quoted(names(data)[twice])), "rename one")
  }
}

column_of <- function(x, name) {
  if (is.factor(x)) {
    levels(x) <- enc2utf8(levels(x))
    return(x)
  }
  if (inherits(x, "integer64")) return(of_integer64(x, name))
  if (is.character(x)) return(enc2utf8(as.vector(x)))
  if (is.logical(x)) return(as.character(x))
  if (inherits(x, c("Date", "POSIXt", "difftime"))) return(as.character(x))
  if (is.numeric(x) && is.null(dim(x))) return(as.vector(unclass(x)))
  misuse(
    sprintf("column %s is of type %s", quoted(name), class(x)[1]),
    "give columns of numbers, texts, factors or dates"
  )
}

# The integers of package bit64 lie in doubles; those that doubles can have are taken.
of_integer64 <- function(x, name) {
  if (!requireNamespace("bit64", quietly = TRUE)) {
    misuse(sprintf("column %s is of type integer64", quoted(name)), "load the package bit64")
  }
  # It warns where precision is lost; what is lost is refused below.
  numbers <- suppressWarnings(as.double(x))
  if (any(abs(numbers) >= 2^53, na.rm = TRUE)) {
    misuse(sprintf("column %s has numbers of 2^53 or more", quoted(name)), "scale it down")
  }
  numbers
}

# How a user's data look, so that results can look the same.
look_of <- function(data) {
  factors <- names(data)[vapply(data, is.factor, NA)]
  list(class = class(data), levels = lapply(stats::setNames(nm = factors), function(name) levels(data[[name]])))
}

# Columns that came out as a data frame that looks like the user's.
frame_of <- function(columns, look = NULL) {
  frame <- as.data.frame(columns, stringsAsFactors = FALSE, optional = TRUE)
  names(frame) <- names(columns)
  as_looked(frame, look)
}

as_looked <- function(frame, look) {
  renamed <- names(frame) %in% names(look$names)
  names(frame)[renamed] <- unlist(look$names[names(frame)[renamed]])
  for (name in intersect(names(look$levels), names(frame))) {
    own <- look$levels[[name]]
    # Totals stand first; they are no levels of the data.
    frame[[name]] <- factor(frame[[name]], c(setdiff(unique(frame[[name]]), c(own, NA)), own))
  }
  if ("data.table" %in% look$class && requireNamespace("data.table", quietly = TRUE)) {
    return(data.table::as.data.table(frame))
  }
  if ("tbl_df" %in% look$class && requireNamespace("tibble", quietly = TRUE)) {
    return(tibble::as_tibble(frame))
  }
  frame
}
