dimlists <- list(
  region = data.frame(levels = c("@", "@@", "@@@", "@@@", "@@", "@@@"),
                      codes = c("All", "North", "N1", "N2", "South", "S1")),
  size = data.frame(levels = c("@", "@@", "@@"), codes = c("All", "a", "b"))
)

test_that("sdcTable's functions do what their arguments say", {
  problem <- makeProblem(firms, dimlists, numVarInd = "turnover")
  problem <- primarySuppression(problem, type = "p", p = 10, numVarName = "turnover")
  problem <- primarySuppression(problem, type = "freq", maxN = 1)
  before <- getInfo(problem, "finalData")
  expect_true("u" %in% before$sdcStatus && !"x" %in% before$sdcStatus)
  after <- protectTable(problem, method = "HYPERCUBE")
  final <- getInfo(after, "finalData")
  expect_named(final, c("region", "size", "freq", "turnover", "sdcStatus"))
  expect_equal(is.na(final$turnover), final$sdcStatus %in% c("u", "x"))
  expect_equal(getInfo(after, "nrPrimSupps"), getInfo(problem, "nrPrimSupps"))
  expect_gt(getInfo(after, "nrSecondSupps"), 0)
  expect_match(said(protectTable(makeProblem(firms, dimlists)))$message, "no cell is sensitive")
  expect_match(said(primarySuppression(problem, "p", numVarName = "none"))$message, "not in the problem")
})

test_that("sdcTable's counts are counts", {
  counts <- data.frame(region = c("N1", "N2", "S1"), size = c("a", "a", "b"), n = c(2, 9, 8))
  problem <- primarySuppression(makeProblem(counts, dimlists, freqVarInd = "n"), "freq", maxN = 2)
  final <- getInfo(protectTable(problem, "SIMPLEHEURISTIC"), "finalData")
  expect_equal(final$freq[final$region == "All" & final$size == "All"], 19)
  expect_equal(final$sdcStatus[final$region == "N1" & final$size == "a"], "u")
  expect_match(said(primarySuppression(problem, "nk"))$message, "needs records")
})

test_that("rtauargus' function takes a table with its totals", {
  hrc <- tempfile(fileext = ".hrc")
  writeLines(c("North", "@N1", "@N2", "South", "@S1"), hrc)
  grid <- confidential(protect(firms, ~ region * size, value = "turnover", hierarchies = list(region = hrc),
                               rules = frequency(1)))[[1]]
  grid$status <- NULL
  grid$secret <- grid$region == "N1" & grid$size == "a"
  out <- tab_rtauargus(grid, explanatory_vars = c("region", "size"), hrc = c(region = hrc),
                       totcode = c(region = "Total", size = "Total"), secret_var = "secret", value = "turnover")
  expect_equal(nrow(out), nrow(grid))
  expect_equal(out$Status[grid$secret], "B")
  expect_true("D" %in% out$Status)
  expect_equal(is.na(out$turnover), out$Status != "V")
  expect_match(said(tab_rtauargus(grid, explanatory_vars = c("region", "size"), hrc = c(where = hrc),
                                  value = "turnover"))$message, "where")
})

people <- data.frame(
  age = c("1", "1", "1", "2", "2", NA), sex = c("m", "m", "f", "f", "f", "f"), w = c(10, 20, 30, 40, 50, 60)
)

test_that("sdcMicro's frequencies take what is missing for anything", {
  found <- freqCalc(people, keyVars = c("age", "sex"), w = "w")
  # By hand: the last record looks like every other woman.
  expect_equal(found$fk, c(2, 2, 2, 3, 3, 4))
  expect_equal(found$Fk, c(30, 30, 90, 150, 150, 180))
  expect_equal(found$n1, 0)
  expect_equal(freqCalc(people, keyVars = 1:2, w = 3)$Fk, found$Fk)
})

test_that("sdcMicro's local suppression reaches k", {
  full <- people[1:5, ]
  found <- localSuppression(full, k = 2, keyVars = c("age", "sex"))
  expect_true(found$anonymity)
  expect_true(all(freqCalc(found$xAnon, keyVars = c("age", "sex"))$fk >= 2))
  expect_equal(sum(found$totalSupps), sum(is.na(found$xAnon[c("age", "sex")])))
  pairs <- kAnon(full, keyVars = c("age", "sex"), combs = 1:2, k = c(2, 2))
  expect_true(pairs$anonymity)
  strata <- kAnon(rbind(full, full), keyVars = "age", strataVars = "sex", k = 2)
  expect_equal(nrow(strata$xAnon), 10)
  expect_equal(strata$xAnon$sex, rep(full$sex, 2))
})

test_that("GaussSuppression's functions give its columns", {
  counts <- data.frame(age = rep(c("young", "old"), each = 3), geo = rep(c("Spain", "Iceland", "Portugal"), 2),
                       freq = c(5, 2, 8, 6, 3, 4))
  out <- SuppressSmallCounts(counts, maxN = 2, freqVar = "freq", dimVar = c("age", "geo"))
  expect_named(out, c("age", "geo", "freq", "primary", "suppressed"))
  expect_equal(sum(out$primary), 1)
  expect_equal(sum(out$suppressed), 4)
  expect_equal(is.na(out$freq), out$suppressed)
  dominant <- SuppressDominantCells(firms, n = 1, k = 80, numVar = "turnover", formula = ~ region, contributorVar = "firm")
  expect_true(dominant$primary[dominant$region == "N1"])
})

test_that("problems print their rules and what came of them", {
  problem <- primarySuppression(makeProblem(firms, dimlists, numVarInd = "turnover"), "p", p = 10, numVarName = "turnover")
  expect_output(print(problem), "p-percent: p = 10")
  expect_output(print(protectTable(problem)), "safe")
})
