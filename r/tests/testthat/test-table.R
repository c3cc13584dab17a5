test_that("a table is audited, suppressed and adjusted", {
  table <- sdc_table(cells, c("region", "size"), "turnover", status = "status")
  expect_equal(c(table$cells, table$primaries), c(12, 1))
  found <- audit(table, intervals = TRUE)
  expect_false(found$safe)
  expect_equal(as.data.frame(found)$verdict, "exposed exactly")
  expect_equal(c(found$intervals$lower, found$intervals$upper), c(20, 20))
  expect_output(print(found), "NOT SAFE")
  protected <- suppress(table)
  expect_true(protected$safe)
  expect_equal(protected$summary$secondaries, 3)
  expect_equal(sum(is.na(as.data.frame(protected)$turnover)), 4)
  expect_match(unpick(table), "1 of 1 primary falls")
  rows <- compare_methods(table, c("hypercube", "kelly-lp"))
  expect_equal(rows$method, c("hypercube", "kelly-lp"))
  file <- tempfile(fileext = ".jj")
  write_table(table, file)
  expect_equal(readLines(file)[1:2], c("0", "12"))
  counted <- sdc_table(cbind(cells, n = c(2, 9, 9, 9, 9, 9)), c("region", "size"), "turnover", frequency = "n",
                       rules = frequency(3))
  moved <- adjust(counted)
  expect_false(20 %in% moved$turnover[moved$region == "N"])
  expect_match(said(adjust(counted, distance = "nowhere"))$message, "nowhere")
})

test_that("factors and tibbles come back", {
  own <- cells
  own$region <- factor(own$region, c("S", "N"))
  out <- as.data.frame(suppress(sdc_table(own, c("region", "size"), "turnover", status = "status")))
  expect_equal(levels(out$region), c("Total", "S", "N"))
})

test_that("microdata are measured, suppressed and recoded", {
  people <- data.frame(
    age = c(30L, 31L, 32L, 33L, 34L, 70L, 71L, 34L), town = factor(c("A", "A", "A", "B", "B", "B", "B", "A")), income = 1:8
  )
  risk <- micro_risk(people, c("age", "town"), threshold = 2)
  expect_false(risk$safe)
  expect_gt(summary(risk)$risky_records, 0)
  safe <- micro_suppress(people, c("age", "town"), threshold = 2)
  expect_true(safe$safe)
  released <- as.data.frame(safe)
  expect_equal(released$income, 1:8)
  expect_type(released$age, "integer")
  expect_s3_class(released$town, "factor")
  coarse <- micro_recode(people, c("age", "town"), threshold = 2, truncate = "age")
  expect_true(coarse$safe)
  expect_match(said(micro_risk(people, "aeg"))$message, "did you mean \"age\"")
})
