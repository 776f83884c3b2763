CREATE TABLE "aliases" (
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"collection_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "aliases_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "import_faults" (
	"import_id" bigint NOT NULL,
	"row" bigint NOT NULL,
	"faults" jsonb NOT NULL,
	CONSTRAINT "import_faults_import_id_row_pk" PRIMARY KEY("import_id","row")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" bigint NOT NULL,
	"key" text,
	"action" text NOT NULL,
	"request" "bytea" NOT NULL,
	"state" text NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"succeeded" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"digest" "bytea",
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_faults" ADD CONSTRAINT "import_faults_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "aliases_collection" ON "aliases" USING btree ("collection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "imports_key" ON "imports" USING btree ("collection_id","key") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "imports_collection" ON "imports" USING btree ("collection_id","id");--> statement-breakpoint
CREATE INDEX "imports_updated" ON "imports" USING btree ("updated_at");
--> statement-breakpoint
-- Servers know for a while which collection a name means to a caller.
CREATE TRIGGER "aliases_change" AFTER INSERT OR DELETE OR UPDATE ON "aliases"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('project', 'project_id');
--> statement-breakpoint
-- In a project a name is a collection's or an alias. From here to the end of their transactions, those who give names in one project take
-- turns; row locks come before. Each statement in here sees what was committed while it waited.
CREATE FUNCTION "assert_name_free"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('vectora names', new."project_id"));
  IF tg_table_name = 'collections' THEN
    PERFORM FROM "aliases" WHERE "project_id" = new."project_id" AND "name" = new."name";
    IF found THEN
      RAISE EXCEPTION 'an alias has this name' USING ERRCODE = 'unique_violation', CONSTRAINT = 'aliases_name';
    END IF;
  ELSE
    PERFORM FROM "collections" WHERE "project_id" = new."project_id" AND "name" = new."name" AND "deleted_at" IS NULL;
    IF found THEN
      RAISE EXCEPTION 'a collection has this name' USING ERRCODE = 'unique_violation', CONSTRAINT = 'collections_name';
    END IF;
  END IF;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER "collections_name_free" BEFORE INSERT OR UPDATE OF "project_id", "name", "deleted_at" ON "collections"
  FOR EACH ROW WHEN (new."deleted_at" IS NULL) EXECUTE FUNCTION "assert_name_free"();
--> statement-breakpoint
CREATE TRIGGER "aliases_name_free" BEFORE INSERT OR UPDATE OF "project_id", "name" ON "aliases"
  FOR EACH ROW EXECUTE FUNCTION "assert_name_free"();
