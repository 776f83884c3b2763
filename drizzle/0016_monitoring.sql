CREATE TABLE "host_series" (
	"server" text NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"minutes_up" integer DEFAULT 0 NOT NULL,
	"samples" integer DEFAULT 0 NOT NULL,
	"cpu_samples" integer DEFAULT 0 NOT NULL,
	"cpu" double precision DEFAULT 0 NOT NULL,
	"memory" double precision DEFAULT 0 NOT NULL,
	"disk" double precision DEFAULT 0 NOT NULL,
	"api_connections" double precision DEFAULT 0 NOT NULL,
	"live_connections" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "host_series_server_at_grain_pk" PRIMARY KEY("server","at","grain")
);
--> statement-breakpoint
CREATE TABLE "request_series" (
	"workspace_id" bigint NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"client_errors" integer DEFAULT 0 NOT NULL,
	"server_errors" integer DEFAULT 0 NOT NULL,
	"latencies" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "request_series_workspace_id_at_grain_pk" PRIMARY KEY("workspace_id","at","grain")
);
--> statement-breakpoint
CREATE TABLE "search_minutes" (
	"collection_id" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"searches" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_minutes_collection_id_at_pk" PRIMARY KEY("collection_id","at")
);
--> statement-breakpoint
ALTER TABLE "request_series" ADD CONSTRAINT "request_series_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_minutes" ADD CONSTRAINT "search_minutes_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "host_series_grain" ON "host_series" USING btree ("grain","at");--> statement-breakpoint
CREATE INDEX "request_series_grain" ON "request_series" USING btree ("grain","at");--> statement-breakpoint
CREATE INDEX "search_minutes_at" ON "search_minutes" USING btree ("at");