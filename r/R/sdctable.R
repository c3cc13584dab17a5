# For those who come from sdcTable: makeProblem(), primarySuppression(), protectTable(), getInfo().

makeProblem <- function(data, dimList, dimVarInd = NULL, freqVarInd = NULL, numVarInd = NULL,
                        weightInd = NULL, sampWeightInd = NULL) {
  need_frame(data)
  if (is.null(names(dimList))) names(dimList) <- names_of(data, dimVarInd)
  need_columns(data, names(dimList))
  structure(
    list(
      data = data, dimList = dimList, frequency = names_of(data, freqVarInd), values = names_of(data, numVarInd),
      cost = names_of(data, weightInd), weight = names_of(data, sampWeightInd), rules = list()
    ),
    class = "quell_problem"
  )
}

primarySuppression <- function(object, type, ...) {
  need_problem(object)
  own <- list(...)
  known <- c("maxN", "allowZeros", "p", "pq", "n", "k", "numVarName", "numVarInd")
  unknown <- setdiff(names(own), known)
  if (length(unknown)) misuse(sprintf("there is no argument %s", quoted(unknown[1])), sprintf("there are %s", quoted(known)))
  usual <- function(name, value) if (is.null(own[[name]])) value else own[[name]]
  if (isTRUE(own$allowZeros)) {
    misuse("empty cells cannot be primary here", "leave allowZeros out; zero() makes cells of zeros sensitive")
  }
  if (type != "freq") {
    if (!is.null(object$frequency)) {
      misuse(sprintf("the rule %s needs records, and the data are counts", quoted(type)), "give the records, or type = \"freq\"")
    }
    object$variable <- if (!is.null(own$numVarName)) own$numVarName else object$values[usual("numVarInd", 1)]
    if (is.null(object$variable) || !object$variable %in% object$values) {
      misuse("the rule looks at a variable that is not in the problem", "name it in numVarInd of makeProblem()")
    }
  }
  rule <- switch(
    type,
    freq = frequency(usual("maxN", 3) + 1),
    nk = dominance(usual("n", 2), usual("k", 85)),
    p = p_percent(usual("p", 80)),
    pq = prior_posterior(usual("pq", c(25, 50))[1], usual("pq", c(25, 50))[2]),
    misuse(sprintf("there is no type %s", quoted(type)), "give freq, nk, p or pq")
  )
  # Both rules hold if it is called twice, as there.
  object$rules[[type]] <- rule
  object$release <- NULL
  object
}

protectTable <- function(object, method = "SIMPLEHEURISTIC", ...) {
  need_problem(object)
  if (!length(object$rules)) misuse("no cell is sensitive yet", "call primarySuppression() before")
  more <- list(...)
  methods <- c(OPT = "exact", HITAS = "hitas", HYPERCUBE = "hypercube", SIMPLEHEURISTIC = "auto",
               SIMPLEHEURISTIC_OLD = "auto", GAUSS = "auto")
  own <- if (method %in% names(methods)) methods[[method]] else method
  if (!own %in% methods_of()) own <- "auto"
  # sdcTable counts minutes.
  time <- if (!is.null(more$timeLimit)) 60 * more$timeLimit else more$time
  object$release <- protect_job(problem_job(object), method = own, time = time, seed = more$seed,
                                threads = more$threads, progress = isTRUE(more$verbose))
  object
}

need_problem <- function(object) {
  if (!inherits(object, "quell_problem")) misuse("this is no problem", "make one with makeProblem()")
}

problem_variable <- function(object) {
  if (!is.null(object$variable)) object$variable else object$values[1][length(object$values) > 0]
}

problem_job <- function(object) {
  dimensions <- names(object$dimList)
  formula <- stats::as.formula(paste("~", paste(sprintf("`%s`", dimensions), collapse = " * ")))
  data <- object$data
  value <- problem_variable(object)
  if (!is.null(object$frequency)) value <- NULL
  job(data, formula, value = if (length(value)) value, weight = object$weight, frequency = object$frequency,
      hierarchies = object$dimList, rules = do.call(rules, unname(object$rules)), cost = object$cost)
}

# sdcStatus as there: u sensitive, x hidden beside them, s published, z empty.
getInfo <- function(object, type = c("finalData", "sdcStatus", "freq", "nrNonDuplicatedCells", "nrPrimSupps",
                                     "nrSecondSupps", "nrPublishableCells")) {
  need_problem(object)
  type <- match.arg(type)
  cells <- problem_cells(object)
  switch(
    type,
    finalData = cells,
    sdcStatus = cells$sdcStatus,
    freq = cells$freq,
    nrNonDuplicatedCells = nrow(cells),
    nrPrimSupps = sum(cells$sdcStatus == "u"),
    nrSecondSupps = sum(cells$sdcStatus == "x"),
    nrPublishableCells = sum(cells$sdcStatus %in% c("s", "z"))
  )
}

problem_cells <- function(object) {
  before <- as.data.frame(tabulate_job(problem_job(object))[[1]])
  dimensions <- names(object$dimList)
  value <- setdiff(names(before), c(dimensions, "contributors", "status"))
  status <- before$status
  if (!is.null(object$release)) {
    after <- confidential(object$release)[[1]]
    key <- function(frame) do.call(paste, c(as.data.frame(frame)[dimensions], sep = "\r"))
    status <- after$status[match(key(before), key(after))]
  }
  out <- before[dimensions]
  hidden <- status %in% c("primary", "secondary")
  out$freq <- replace(before$contributors, hidden, NA)
  if (length(problem_variable(object)) && is.null(object$frequency)) {
    out[[value]] <- replace(before[[value]], hidden, NA)
  }
  out$sdcStatus <- ifelse(status == "primary", "u", ifelse(status == "secondary", "x", ifelse(before$contributors == 0, "z", "s")))
  out
}

confidential.quell_problem <- function(x, ...) tabulate_job(problem_job(x))[[1]]

print.quell_problem <- function(x, ...) {
  cat("Problem by ", paste(names(x$dimList), collapse = " and "), ", ", nrow(x$data), " rows of data\n", sep = "")
  if (length(x$rules)) print(do.call(rules, unname(x$rules)))
  if (!is.null(x$release)) print(summary(x$release))
  invisible(x)
}

summary.quell_problem <- function(object, ...) {
  if (is.null(object$release)) return(table(getInfo(object, "sdcStatus"), dnn = NULL))
  summary(object$release)
}
