-- A document of 1,200 characters and a vector of 384 components have just more than the 2 KB from which Postgres compresses a row's text and moves its vector
-- to a table beside it: a quarter of what it takes to write one. Up to half a page they stay in one piece.
ALTER TABLE "documents" SET (toast_tuple_target = 4080);
