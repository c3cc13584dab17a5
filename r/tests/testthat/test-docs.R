run <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  utils::capture.output(eval(parse(text = code, encoding = "UTF-8"), new.env(parent = globalenv())))
}

test_that("the examples of the help run", {
  pages <- tools::Rd_db("quell")
  expect_gt(length(pages), 10)
  for (name in names(pages)) {
    file <- tempfile(fileext = ".R")
    tools::Rd2ex(pages[[name]], file)
    if (file.exists(file)) expect_error(run(readLines(file)), NA, label = name)
  }
})

test_that("the code of the vignettes runs", {
  folder <- test_path("..", "..", "vignettes")
  skip_if_not(dir.exists(folder), "the vignettes are not beside the tests")
  files <- list.files(folder, "\\.Rmd$", full.names = TRUE)
  expect_length(files, 4)
  for (file in files) {
    lines <- readLines(file, encoding = "UTF-8")
    fence <- grepl("^```", lines)
    # Between an opening and a closing fence; the first chunk is about knitr only.
    inside <- cumsum(fence) %% 2 == 1 & !fence & !grepl("^knitr::", lines)
    expect_error(run(lines[inside]), NA, label = basename(file))
  }
})
