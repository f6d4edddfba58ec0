-- Changes no row, were it let: the owner is bound by the policies.

UPDATE planted.bill SET paid = true;
