# Twelve firms: N1 gives away its largest.
firms <- data.frame(
  region = rep(c("N1", "N2", "S1"), c(3, 4, 5)),
  size = rep(c("a", "b"), 6),
  turnover = c(900, 20, 30, 70, 80, 65, 72, 11, 14, 9, 12, 16),
  firm = sprintf("f%02d", 1:12)
)

regions <- list(North = c("N1", "N2"), South = "S1")

cells <- data.frame(
  region = rep(c("N", "S"), each = 3),
  size = rep(c("a", "b", "c"), 2),
  turnover = c(20, 50, 10, 8, 19, 22),
  status = c("primary", rep("safe", 5))
)

# What a condition says.
said <- function(code) {
  tryCatch({
    code
    NULL
  }, quell_error = function(error) error)
}
