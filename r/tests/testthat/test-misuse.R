sentence <- function(code, words) {
  error <- said(code)
  expect_s3_class(error, "quell_error")
  expect_match(error$message, words)
  expect_true(nzchar(error$advice))
  expect_false(grepl("panicked|unwrap|called `", error$message))
}

test_that("misuse gets a sentence", {
  sentence(protect(firms, ~ regoin, value = "turnover", rules = p_percent(10)), "did you mean \"region\"")
  sentence(protect(firms, ~ region, value = "turnovr", rules = p_percent(10)), "did you mean \"turnover\"")
  sentence(protect(firms, ~ region, value = "size", rules = p_percent(10)), "character, not numbers")
  sentence(protect(as.list(firms), ~ region, rules = frequency(3)), "not a data frame")
  sentence(protect("nowhere.csv", ~ region, rules = frequency(3)), "no file nowhere.csv")
  sentence(protect(firms, ~ region, value = "turnover", rules = "P(x)"), "no rule")
  sentence(protect(firms, ~ region, value = "turnover", rules = 5), "no rule")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent("ten")), "not a number")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent(10), time = "soon"), "no time")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent(10), method = "best"), "best")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent(10), metod = "auto"), "metod")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent(10), protect = list(metod = 1)), "method")
  sentence(protect(firms, ~ region, value = "turnover", rules = p_percent(10), seed = -1), "whole number")
  lost <- firms
  lost$region[c(4, 7)] <- NA
  sentence(protect(lost, ~ region, value = "turnover", rules = p_percent(10)), "missing in 2 records, first in record 4")
  weighted <- cbind(firms, w = c(1, -1, rep(1, 10)))
  sentence(protect(weighted, ~ region, value = "turnover", weight = "w", rules = frequency(3)), "record 2 has a negative weight")
  odd <- firms
  odd$region <- as.list(odd$region)
  sentence(protect(odd, ~ region, value = "turnover", rules = p_percent(10)), "type list")
  twice <- stats::setNames(firms, c("region", "region", "turnover", "firm"))
  sentence(protect(twice, ~ region, value = "turnover", rules = p_percent(10)), "two columns")
  endless <- firms
  endless$turnover[1] <- Inf
  sentence(protect(endless, ~ region, value = "turnover", rules = p_percent(10)), "turnover")
  sentence(sdc_table(cells, c("region", "where"), "turnover", status = "status"), "where")
  sentence(sdc_table(cells, c("region", "size"), "status", status = "status"), "status")
  sentence(suppress(sdc_table(cells, c("region", "size"), "turnover", status = "status"), method = "best"), "best")
})

test_that("a release that was saved says so", {
  release <- protect(firms, ~ region, value = "turnover", rules = p_percent(10))
  file <- tempfile()
  saveRDS(release, file)
  sentence(as.data.frame(readRDS(file)), "is gone")
})
