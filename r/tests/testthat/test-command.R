command <- Sys.getenv("QUELL_COMMAND")

test_that("a job is the same for the command: same bytes", {
  skip_if(!nzchar(command), "the command is not there")
  folder <- tempfile()
  survey(folder, firms = 600, seed = 3)
  data <- utils::read.csv(file.path(folder, "survey.csv"), colClasses = c(industry = "character"))
  own <- job(file.path(folder, "survey.csv"), ~ industry * size, value = "turnover", contributor = "firm",
             holding = "holding", weight = "weight", hierarchies = list(industry = file.path(folder, "industry.hrc")),
             rules = rules(p_percent(10), frequency(3)), method = "kelly-lp", protect = list(seed = 1),
             release = list(formats = list("csv"), folder = "out"), title = "Survey")
  write_job(own, file.path(folder, "job.toml"))
  write_release(protect_job(own), file.path(folder, "r"))
  expect_equal(system2(command, c("protect", file.path(folder, "job.toml")), stdout = FALSE, stderr = FALSE), 0)
  bytes <- function(folder) {
    files <- list.files(folder, "\\.csv$")
    stats::setNames(lapply(file.path(folder, files), function(file) readBin(file, "raw", 1e6)), files)
  }
  expect_gt(length(bytes(file.path(folder, "r"))), 0)
  expect_equal(bytes(file.path(folder, "r")), bytes(file.path(folder, "out")))
  # The data frame gives the same cells as the file that it was read from.
  read <- protect(data, ~ industry * size, value = "turnover", contributor = "firm", holding = "holding",
                  weight = "weight", hierarchies = list(industry = file.path(folder, "industry.hrc")),
                  rules = "P(10,1)|FREQ(3,20)", method = "kelly-lp", protect = list(seed = 1))
  by_file <- as.data.frame(protect_job(own))
  expect_equal(as.data.frame(read)[c("turnover", "status")], by_file[c("turnover", "status")])
})

test_that("jobs are read from files, with data in their place", {
  file <- tempfile(fileext = ".toml")
  writeLines(c("data = { file = \"firms\" }", "dimension = [{ name = \"region\" }]", "rules = { p-percent = { p = 10 } }",
               "[[table]]", "name = \"T\"", "dimensions = [\"region\"]", "response = \"turnover\""), file)
  release <- protect_job(read_job(file, firms = firms))
  expect_equal(sum(is.na(as.data.frame(release)$turnover)), 2)
  expect_match(said(protect_job(read_job(file, frims = firms)))$message, "frims")
  expect_match(first_job(survey(tempfile(), firms = 50)[1]), "[[dimension]]", fixed = TRUE)
})

test_that("progress is told", {
  told <- character()
  large <- firms[rep(1:12, 4000), ]
  protect(large, ~ region, value = "turnover", rules = p_percent(10),
          progress = function(stage, steps, total) told <<- c(told, stage))
  expect_type(told, "character")
  broken <- function(stage, steps, total) stop("no")
  expect_true(inherits(
    suppressWarnings(tryCatch(protect(large, ~ region * size, value = "turnover", rules = p_percent(10), progress = broken),
                              error = identity)),
    c("quell_release", "quell_interrupted")
  ))
})

test_that("an interrupt ends a search within seconds", {
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "library(quell)",
    "set.seed(1); n <- 24",
    "t <- expand.grid(a = paste0('a', 1:n), b = paste0('b', 1:n), c = paste0('c', 1:n))",
    "t$v <- sample(1:997, nrow(t), TRUE); t$n <- sample(1:23, nrow(t), TRUE)",
    "t <- sdc_table(t, c('a', 'b', 'c'), 'v', frequency = 'n', rules = frequency(3, 20), contributors = FALSE)",
    "me <- Sys.getpid()",
    "system(sprintf(\"(sleep 2; kill -INT %d) >/dev/null 2>&1 &\", me))",
    "begun <- Sys.time()",
    "word <- tryCatch({ suppressWarnings(suppress(t, method = 'exact', time = '10m')); 'best' },",
    "                 interrupt = function(e) 'interrupted')",
    "cat(word, as.numeric(Sys.time() - begun, units = 'secs') < 60, '\\n')"
  ), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = FALSE,
                 env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
  expect_match(out[length(out)], "^(best|interrupted) TRUE")
})
