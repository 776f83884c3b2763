CREATE UNLOGGED TABLE "rate_windows" (
	"name" text PRIMARY KEY NOT NULL,
	"whole_at" timestamp with time zone NOT NULL,
	"leased" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_windows_whole_at" ON "rate_windows" USING btree ("whole_at");