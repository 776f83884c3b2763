CREATE TABLE "aliases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "aliases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"collection_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cited_documents" (
	"message_id" bigint NOT NULL,
	"source" integer NOT NULL,
	"collection_id" bigint NOT NULL,
	"document_id" text NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "cited_documents_message_id_source_pk" PRIMARY KEY("message_id","source")
);
--> statement-breakpoint
CREATE TABLE "conversation_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversation_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"conversation_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"user_id" bigint,
	"key_id" bigint,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversations_owner" CHECK (num_nonnulls(user_id, key_id) = 1)
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
CREATE TABLE "overrides" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"definition" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "overrides_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "presets" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "presets_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "search_settings" (
	"collection_id" bigint PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "synonyms" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"members" jsonb NOT NULL,
	"root" text,
	"bytes" integer NOT NULL,
	CONSTRAINT "synonyms_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cited_documents" ADD CONSTRAINT "cited_documents_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_faults" ADD CONSTRAINT "import_faults_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overrides" ADD CONSTRAINT "overrides_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_settings" ADD CONSTRAINT "search_settings_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "synonyms" ADD CONSTRAINT "synonyms_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "aliases_project_name" ON "aliases" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "aliases_collection" ON "aliases" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "conversation_messages_conversation" ON "conversation_messages" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "conversation_messages_project" ON "conversation_messages" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "conversation_messages_created" ON "conversation_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "conversations_project" ON "conversations" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "conversations_user" ON "conversations" USING btree ("user_id","updated_at");--> statement-breakpoint
CREATE INDEX "conversations_key" ON "conversations" USING btree ("key_id","updated_at");--> statement-breakpoint
CREATE INDEX "conversations_updated" ON "conversations" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "imports_key" ON "imports" USING btree ("collection_id","key") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "imports_collection" ON "imports" USING btree ("collection_id","id");--> statement-breakpoint
CREATE INDEX "imports_updated" ON "imports" USING btree ("updated_at");--> statement-breakpoint
-- Servers know for a while which version of its rules a collection has.
CREATE TRIGGER "collections_rules_change" AFTER UPDATE OF "rules_version" ON "collections"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('project', 'project_id');
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
