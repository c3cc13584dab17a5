library(testthat)
library(quell)

test_check("quell")
