CREATE TABLE "requests" (
	"workspace_id" bigint NOT NULL,
	"place" bigint NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"operation" text NOT NULL,
	"type" text NOT NULL,
	"way" text NOT NULL,
	"key_id" bigint,
	"key_name" text,
	"collection_id" bigint,
	"collection_name" text,
	"status" smallint NOT NULL,
	"took_ms" double precision NOT NULL,
	"found" bigint,
	"words" text,
	"error_code" text,
	"error_message" text,
	"input" text,
	"answer" text,
	"replay" text NOT NULL,
	"left_out" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "requests_workspace_id_place_pk" PRIMARY KEY("workspace_id","place")
);
--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_created" ON "requests" USING btree ("created_at");