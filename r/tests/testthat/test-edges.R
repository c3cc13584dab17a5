shown <- function(data, ...) as.data.frame(protect(data, ~ r, value = "v", rules = p_percent(10), ...))
base <- data.frame(r = rep(c("A1", "B"), each = 3), v = c(900, 20, 30, 8, 9, 10))

test_that("numbers, dates and flags are codes", {
  expect_equal(shown(transform(base, r = rep(c(1, 2), each = 3)))$r, c("Total", "1", "2"))
  expect_equal(shown(transform(base, r = as.Date("2020-01-01") + rep(0:1, each = 3)))$r, c("Total", "2020-01-01", "2020-01-02"))
  expect_equal(shown(transform(base, r = r == "B"))$r, c("Total", "FALSE", "TRUE"))
})

test_that("letters of other encodings are the same letters", {
  latin <- base
  latin$r <- rep(c("\xcele", "M\xfcnchen"), each = 3)
  Encoding(latin$r) <- "latin1"
  found <- shown(latin, hierarchies = list(r = list("Fran\u00e7ais" = "\u00cele", Deutsch = "M\u00fcnchen")))
  expect_setequal(found$r, c("Total", "Fran\u00e7ais", "\u00cele", "Deutsch", "M\u00fcnchen"))
})

test_that("a code with a single part is hidden with it", {
  single <- data.frame(levels = c("@", "@@", "@@@", "@@"), codes = c("T", "A", "A1", "B"))
  found <- shown(base, hierarchies = list(r = single))
  expect_equal(found$r[is.na(found$v)], c("T", "A", "A1"))
})

test_that("negative and missing values, odd names and decimals are taken", {
  expect_equal(shown(transform(base, v = -v))$v, c(NA, NA, -27))
  expect_equal(shown(transform(base, v = c(NA, v[-1])))$status[1], "published")
  odd <- stats::setNames(base, c("a b", "v"))
  expect_named(as.data.frame(protect(odd, ~ `a b`, value = "v", rules = p_percent(10))), c("a b", "v", "status"))
  expect_equal(shown(transform(base, v = v / 4))$v[3], 6.75)
})

test_that("integers of bit64 are numbers", {
  skip_if_not_installed("bit64")
  expect_equal(shown(transform(base, v = bit64::as.integer64(v)))$v[3], 27)
  huge <- base
  huge$v <- bit64::as.integer64("9007199254740993")
  expect_match(said(shown(huge))$message, "2^53 or more", fixed = TRUE)
})
