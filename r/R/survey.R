# Data to try things on.
survey <- function(folder = tempfile("survey-"), firms = 4000, seed = 1) {
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  files <- answer(.Call(wrap__survey_files, as.numeric(firms), as.numeric(seed)))
  for (name in names(files)) {
    connection <- file(file.path(folder, name), "wb")
    writeBin(charToRaw(enc2utf8(files[[name]])), connection)
    close(connection)
  }
  file.path(folder, names(files))
}
