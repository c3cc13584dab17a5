/* R calls R_init_quell; extendr registers its functions under a name of its own. */
void R_init_quell_extendr(void *dll);

void R_init_quell(void *dll) {
  R_init_quell_extendr(dll);
}
