-- Vectors are as good as random: trying to compress each of them only costs time.
ALTER TABLE "documents" ALTER COLUMN "vectors" SET STORAGE EXTERNAL;
