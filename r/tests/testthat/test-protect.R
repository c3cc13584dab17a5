test_that("a formula makes tables, and a release hides what must be hidden", {
  release <- protect(firms, ~ region, value = "turnover", hierarchies = list(region = regions), rules = p_percent(10))
  expect_equal(verdict(release), "safe")
  frame <- as.data.frame(release)
  expect_named(frame, c("region", "turnover", "status"))
  expect_setequal(frame$region[is.na(frame$turnover)], c("N1", "N2"))
  expect_equal(summary(release)$secondaries, 1)
})

test_that("tables that share cells are protected as one, and come as one frame", {
  release <- protect(firms, ~ region + size, value = "turnover", contributor = "firm",
                     rules = rules(p_percent(10), frequency(3)), time = 20)
  frame <- as.data.frame(release)
  expect_named(frame, c("table", "region", "size", "turnover", "status"))
  expect_true(all(frame$size[frame$table == "turnover by region"] == "Total"))
  expect_length(release, 2)
  expect_equal(names(release), c("turnover by region", "turnover by size"))
})

test_that("several values are several tables", {
  data <- cbind(firms, export = firms$turnover / 2)
  release <- protect(data, ~ region, value = c("turnover", "export"), rules = p_percent(10))
  expect_named(as.data.frame(release), c("table", "region", "variable", "value", "status"))
})

test_that("formulas are multiplied out", {
  expect_equal(tables_of(~ a), list("a"))
  expect_equal(tables_of(~ a * b + a * c), list(c("a", "b"), c("a", "c")))
  expect_equal(tables_of(~ (a + b) * c), list(c("a", "c"), c("b", "c")))
  expect_equal(tables_of(~ a + a * b), list(c("a", "b")))
  expect_equal(tables_of(~ (a + b + c)^2), list(c("a", "b"), c("a", "c"), c("b", "c")))
  expect_match(said(tables_of(~ a:b))$advice, "always shows its totals")
  expect_match(said(tables_of(y ~ a))$message, "no formula")
})

test_that("classes and levels of the data stay", {
  data <- firms
  data$region <- factor(data$region, c("S1", "N2", "N1"))
  frame <- as.data.frame(protect(data, ~ region, value = "turnover", rules = p_percent(10)))
  expect_equal(levels(frame$region), c("Total", "S1", "N2", "N1"))
  skip_if_not_installed("data.table")
  table <- as.data.frame(protect(data.table::as.data.table(data), ~ region, value = "turnover", rules = p_percent(10)))
  expect_s3_class(table, "data.table")
  skip_if_not_installed("tibble")
  table <- as.data.frame(protect(tibble::as_tibble(data), ~ region, value = "turnover", rules = p_percent(10)))
  expect_s3_class(table, "tbl_df")
})

test_that("only confidential() shows hidden values", {
  release <- protect(firms, ~ region, value = "turnover", rules = p_percent(10))
  shown <- c(
    capture.output(print(release)), capture.output(print(summary(release))), capture.output(str(as.data.frame(release))),
    report(release), capture.output(print(tables(release))), capture.output(print(audit(release)))
  )
  expect_false(any(grepl("950", shown)))
  expect_true(950 %in% confidential(release)[[1]]$turnover)
})

test_that("what is not safe is refused, and the condition has it", {
  # Everybody knows every value to within one percent: nothing protects the large firm.
  refused <- said(protect(firms, ~ region, value = "turnover", rules = p_percent(10),
                          attacker = list(below = 1, above = 1)))
  expect_s3_class(refused, c("quell_not_safe", "quell_error", "error"), exact = FALSE)
  folder <- tempfile()
  expect_error(write_release(refused$release, folder), class = "quell_not_safe")
  expect_false(file.exists(folder))
  marked <- write_release(refused$release, folder, unsafe_too = TRUE)
  expect_true(all(file.exists(marked)))
})

test_that("audits, reports, maps and files come of a release", {
  release <- protect(firms, ~ region * size, value = "turnover", rules = p_percent(10))
  found <- audit(release)
  expect_true(found$safe)
  expect_true(all(as.data.frame(found)$verdict == "safe"))
  expect_match(report(release), "<html", fixed = TRUE)
  grDevices::pdf(NULL)
  hidden <- plot(release)
  grDevices::dev.off()
  expect_equal(sum(hidden), sum(is.na(as.data.frame(release)$turnover)))
  folder <- tempfile()
  files <- write_release(release, folder)
  written <- utils::read.csv(files[grepl("\\.csv$", files)][1])
  expect_equal(nrow(written), nrow(as.data.frame(release)))
})

test_that("rules of tau-ARGUS are those of ours", {
  theirs <- rules("P(10,1)|NK(0,0)|P(0,0)|P(5,1)|FREQ(3,20)|FREQ(0,0)")
  ours <- rules(p_percent(10, n = 1), frequency(3, 20), holdings(p_percent(5, n = 1)))
  expect_equal(theirs, ours)
  expect_equal(unclass(rules(dominance(1, 75), dominance(2, 85)))$dominance, list(list(n = 1, k = 75), list(n = 2, k = 85)))
  expect_match(said(rules(frequency(3), frequency(4)))$message, "two rules")
})

test_that("counts may be given instead of records", {
  counts <- data.frame(age = c("young", "young", "old", "old"), town = c("A", "B", "A", "B"), freq = c(5, 2, 6, 7))
  frame <- as.data.frame(protect(counts, ~ age * town, frequency = "freq", rules = frequency(3)))
  expect_equal(frame[["freq"]][frame$age == "Total" & frame$town == "Total"], 20)
  expect_equal(sum(is.na(frame$freq)), 4)
})
