CREATE TABLE "calibrations" (
	"collection_id" bigint NOT NULL,
	"mode" text NOT NULL,
	"fitted_at" timestamp with time zone NOT NULL,
	"weights" jsonb NOT NULL,
	"unjudged" text NOT NULL,
	"queries" integer NOT NULL,
	"pairs" integer NOT NULL,
	"relevant" integer NOT NULL,
	"calibration_error" double precision NOT NULL,
	"brier" double precision NOT NULL,
	"settings" jsonb NOT NULL,
	"model" text NOT NULL,
	"judgements" integer NOT NULL,
	CONSTRAINT "calibrations_collection_id_mode_pk" PRIMARY KEY("collection_id","mode"),
	CONSTRAINT "calibrations_errors" CHECK (calibration_error between 0 and 1 and brier between 0 and 1)
);
--> statement-breakpoint
ALTER TABLE "calibrations" ADD CONSTRAINT "calibrations_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;