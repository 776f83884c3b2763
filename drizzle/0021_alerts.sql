CREATE TABLE "alert_rules" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" bigint NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"metric" text NOT NULL,
	"comparison" text NOT NULL,
	"threshold" double precision NOT NULL,
	"minutes" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" bigint NOT NULL,
	"rule_id" bigint,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"metric" text NOT NULL,
	"comparison" text NOT NULL,
	"threshold" double precision NOT NULL,
	"minutes" integer NOT NULL,
	"value" double precision NOT NULL,
	"raised_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_rules_workspace" ON "alert_rules" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_active" ON "alerts" USING btree ("rule_id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "alerts_rule" ON "alerts" USING btree ("rule_id");--> statement-breakpoint
CREATE INDEX "alerts_workspace" ON "alerts" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "alerts_resolved" ON "alerts" USING btree ("resolved_at") WHERE resolved_at is not null;
--> statement-breakpoint
-- What is raised and resolved is told to all servers on this record once it is committed, as acts are.
CREATE FUNCTION "tell_alert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vectora_acts', concat_ws(' ', new."workspace_id", 'alerts.change', new."id"));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "alerts_change" AFTER INSERT OR UPDATE OF "resolved_at" ON "alerts"
  FOR EACH ROW EXECUTE FUNCTION "tell_alert"();
