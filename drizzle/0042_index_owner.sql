CREATE TABLE "index_owner" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"system_identifier" text,
	"oids" text NOT NULL,
	"mark" text NOT NULL,
	CONSTRAINT "index_owner_is_one" CHECK ("index_owner"."is_only")
);
