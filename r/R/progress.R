# How far a call is: a line on the terminal.

# A function that is told stage, steps and all steps; NULL if nobody wants to know.
teller <- function(progress) {
  if (is.function(progress)) return(progress)
  if (!isTRUE(progress)) return(NULL)
  last <- ""
  function(stage, steps, total) {
    share <- if (is.na(total) || total <= 0) "" else sprintf(" %3.0f %%", 100 * min(1, steps / total))
    line <- paste0(stage, share)
    if (interactive()) {
      cat("\r", formatC(line, width = -60), sep = "", file = stderr())
    } else if (stage != last) {
      cat(stage, "\n", sep = "", file = stderr())
    }
    last <<- stage
  }
}

# Ends the line that a teller writes.
end_progress <- function(progress) {
  if (isTRUE(progress) && interactive()) cat("\r", strrep(" ", 60), "\r", sep = "", file = stderr())
}

limits_of <- function(time = NULL, work = NULL, seed = NULL, threads = NULL) {
  list(time = time, work = work, seed = seed, threads = threads)
}
