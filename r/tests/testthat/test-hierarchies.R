north <- function(hierarchy) {
  frame <- tabulate_job(job(firms, ~ region, value = "turnover", hierarchies = list(region = hierarchy),
                            rules = p_percent(10)))[[1]]
  stats::setNames(frame$turnover, frame$region)
}

test_that("hierarchies come from everything", {
  hrc <- tempfile(fileext = ".hrc")
  writeLines(c("North", "@N1", "@N2", "South", "@S1"), hrc)
  sdctable <- tempfile(fileext = ".csv")
  writeLines(c("@;All", "@@;North", "@@@;N1", "@@@;N2", "@@;South", "@@@;S1"), sdctable)
  dimlist <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@", "@@@"),
                        codes = c("All", "North", "N1", "N2", "South", "S1"))
  converted <- stats::setNames(dimlist, c("level", "name"))
  tree <- structure(
    data.frame(root = c("All", "All", "North", "North", "All", "South"),
               leaf = c("All", "North", "N1", "N2", "South", "S1"), level = c(1, 2, 3, 3, 2, 3)),
    class = c("sdc_hierarchy", "data.frame")
  )
  edges <- data.frame(parent = c("All", "North", "North", "All", "South"), child = c("North", "N1", "N2", "South", "S1"))
  levels <- data.frame(top = c("North", "North", "South"), bottom = c("N1", "N2", "S1"))
  nested <- list(North = list(N1 = NULL, N2 = NULL), South = "S1")
  for (hierarchy in list(hrc, sdctable, dimlist, converted, tree, edges, levels, nested, regions)) {
    found <- north(hierarchy)
    expect_equal(found[["North"]], 1237)
    expect_equal(found[["South"]], 62)
    expect_equal(unname(found[1]), 1299)
  }
  expect_named(north(dimlist)[1], "All")
  expect_named(north(nested)[1], "Total")
})

test_that("several hierarchies over the same codes are one dimension", {
  other <- list(Coast = c("N1", "S1"), Inland = "N2")
  found <- north(list(regions, other))
  expect_equal(found[["Coast"]], 950 + 62)
  expect_equal(found[["North"]], 1237)
})

test_that("broken hierarchies get a sentence", {
  skipped <- data.frame(levels = c("@", "@@@"), codes = c("All", "N1"))
  expect_match(said(north(skipped))$message, "two levels at once")
  expect_match(said(north(c("N1", "N2")))$message, "vector of codes")
  expect_match(said(north("nowhere.hrc"))$message, "no file nowhere.hrc")
  expect_match(said(north(list(North = "N1")))$message, "N2")
  expect_match(said(job(firms, ~ region, hierarchies = list(regoin = regions)))$message, "regoin")
})
