(include-book "projects/sat/lrat/stobj-based/run" :dir :system)
(set-ld-error-action :continue state)
(defun ask (name state)
  (declare (xargs :mode :program :stobjs state))
  (pprogn
   (princ$ "ASKED " *standard-co* state) (princ$ name *standard-co* state)
   (newline *standard-co* state)
   (mv-let (erp val state)
     (lrat::verify-lrat-proof-fn (concatenate 'string name ".cnf")
                                 (concatenate 'string name ".lrat") nil state)
     (pprogn
      (princ$ (if (and (null erp) (eq val t)) "ACCEPTED " "REFUSED ") *standard-co* state)
      (princ$ name *standard-co* state) (newline *standard-co* state)
      (mv nil :invisible state)))))
