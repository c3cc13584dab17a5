# Classifications, from whatever R programmers have:
#
# - the name of a file: .hrc, .json, or .csv (parents and children, levels, or sdcTable's "@;code");
# - a dimList of sdcTable: a data frame of levels ("@", "@@", ...) and codes;
# - a tree of sdcHierarchies, or what hier_convert() makes of one;
# - a data frame with columns parent and child, or one column per level, coarse to fine;
# - a nested list: list(North = c("N1", "N2"), South = "S1"), the total left out;
# - a list of these without names: several hierarchies over the same codes.
#
# Each becomes a file, because that is what a job names: `files`, and the code of the `total`.
hierarchy_of <- function(hierarchy, name, folder, total = "Total") {
  several <- if (is_several(hierarchy)) hierarchy else list(hierarchy)
  several <- Filter(Negate(is.null), several)
  files <- character()
  totals <- character()
  for (place in seq_along(several)) {
    one <- edges_of(several[[place]], name, total)
    if (is.character(one)) {
      files <- c(files, one)
    } else {
      plain <- gsub("[^[:alnum:]]", "-", name)
      file <- file.path(folder, sprintf("%s-%d.csv", plain, place))
      write_edges(one$edges, file)
      files <- c(files, file)
      totals <- c(totals, one$total)
    }
  }
  totals <- unique(totals)
  if (length(totals) > 1) {
    misuse(sprintf("the hierarchies of %s have several totals: %s", quoted(name), quoted(totals)),
           "give them one")
  }
  list(files = files, total = if (length(totals)) totals else total)
}

is_several <- function(hierarchy) {
  is.list(hierarchy) && !is.data.frame(hierarchy) && is.null(names(hierarchy))
}

# A file's name as it is, or edges with the code of their total.
edges_of <- function(hierarchy, name, total) {
  if (is.character(hierarchy)) return(of_file(hierarchy, name, total))
  if (inherits(hierarchy, "sdc_hierarchy") || all(c("root", "leaf") %in% names(hierarchy))) {
    return(of_sdc_hierarchy(hierarchy))
  }
  if (is.data.frame(hierarchy)) return(of_frame(hierarchy, name, total))
  if (is.list(hierarchy)) {
    return(list(edges = of_nested(hierarchy, total, name), total = total))
  }
  misuse(
    sprintf("the hierarchy of %s is a %s", quoted(name), class(hierarchy)[1]),
    "give a file, a dimList, a tree of sdcHierarchies, a nested list, or a data frame"
  )
}

of_file <- function(path, name, total) {
  if (length(path) != 1 || (!file.exists(path) && !nzchar(tools::file_ext(path)))) {
    misuse(
      sprintf("the hierarchy of %s is a vector of codes", quoted(name)),
      "leave it out if all codes are directly below the total; else give a nested list"
    )
  }
  if (!file.exists(path)) misuse(sprintf("there is no file %s", path), "check the name of the hierarchy")
  first <- readLines(path, n = 1, warn = FALSE)
  if (tolower(tools::file_ext(path)) == "csv" && grepl("^\"?@+\"?;", first)) {
    levels <- utils::read.csv2(path, header = FALSE, colClasses = "character", encoding = "UTF-8")
    return(of_levels(levels[[1]], levels[[2]], name, total))
  }
  normalizePath(path)
}

of_frame <- function(frame, name, total) {
  frame[] <- lapply(frame, as.character)
  if (!nrow(frame) || !ncol(frame)) {
    misuse(sprintf("the hierarchy of %s is empty", quoted(name)), "leave it out, or give its codes")
  }
  lower <- tolower(names(frame))
  if (setequal(lower, c("parent", "child"))) {
    names(frame) <- lower
    return(of_parents(frame, total))
  }
  if (ncol(frame) >= 2 && all(grepl("^@+$", frame[[1]]))) {
    return(of_levels(frame[[1]], frame[[2]], name, total))
  }
  list(edges = of_columns(frame, total), total = total)
}

# The code that is nobody's child is the total, if there is one such and it is the parent of all.
of_parents <- function(edges, total) {
  roots <- setdiff(edges$parent, edges$child)
  if (length(roots) == 1) return(list(edges = edges, total = roots))
  tops <- data.frame(parent = total, child = roots)
  list(edges = rbind(tops, edges[c("parent", "child")]), total = total)
}

of_levels <- function(levels, codes, name, total) {
  depth <- nchar(levels)
  broken <- which(diff(depth) > 1)
  if (length(broken)) {
    misuse(
      sprintf("the hierarchy of %s goes down two levels at once at %s", quoted(name),
              quoted(codes[broken[1] + 1])),
      "give every level in between"
    )
  }
  tops <- sum(depth == min(depth))
  # Without a line of its own for the total, as in .hrc files.
  if (tops > 1) {
    codes <- c(total, codes)
    depth <- c(min(depth) - 1, depth)
  }
  depth <- depth - min(depth) + 1
  parent <- character(length(codes))
  path <- character()
  for (place in seq_along(codes)) {
    if (depth[place] > 1) parent[place] <- path[depth[place] - 1]
    path[depth[place]] <- codes[place]
  }
  list(edges = data.frame(parent = parent[-1], child = codes[-1]), total = codes[1])
}

of_sdc_hierarchy <- function(tree) {
  root <- as.character(tree[["root"]])
  leaf <- as.character(tree[["leaf"]])
  own <- root == leaf
  list(edges = data.frame(parent = root[!own], child = leaf[!own]), total = root[own][1])
}

of_nested <- function(tree, parent, name) {
  if (is.null(names(tree)) || any(!nzchar(names(tree)))) {
    misuse(
      sprintf("the hierarchy of %s has a part without a name below %s", quoted(name), quoted(parent)),
      "give names to the parts of a nested list"
    )
  }
  parts <- lapply(names(tree), function(code) {
    below <- tree[[code]]
    own <- data.frame(parent = parent, child = code)
    if (is.null(below)) return(own)
    if (is.list(below)) return(rbind(own, of_nested(below, code, name)))
    rbind(own, data.frame(parent = code, child = as.character(below)))
  })
  do.call(rbind, parts)
}

# One column per level, coarse to fine; the same code in two columns is one code.
of_columns <- function(frame, total) {
  frame <- cbind(data.frame(total = rep(total, nrow(frame))), frame)
  pairs <- lapply(seq_len(ncol(frame) - 1), function(level) {
    data.frame(parent = frame[[level]], child = frame[[level + 1]])
  })
  edges <- unique(do.call(rbind, pairs))
  edges[edges$parent != edges$child, ]
}

write_edges <- function(edges, file) {
  edges[] <- lapply(edges, enc2utf8)
  connection <- file(file, "wb")
  on.exit(close(connection))
  quote <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")
  lines <- c("parent,child", paste(quote(edges$parent), quote(edges$child), sep = ","))
  writeLines(lines, connection, sep = "\n", useBytes = TRUE)
}
