import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { formatBytes, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import { CheckResult } from './check-result.tsx';
import { faultOfColumns, proposeColumns } from './import-plan.ts';
import { ImportTarget } from './import-target.tsx';
import { inferFields } from './infer-fields.ts';
import { Proposals } from './proposals.tsx';
import classes from './ready-import.module.css';
import type { Rejects } from './rejects.ts';
import { RowsPreview } from './rows-preview.tsx';
import { startImport } from './start-import.ts';
import { formatNames, type UploadContent, type UploadPreview } from './upload-format.ts';
import { useCheck } from './use-check.ts';
import { useTarget } from './use-target.ts';

interface ReadyImportProps {
  file: File;
  preview: UploadPreview;
  collections: Collection[];
  /** The one to begin with; null: a new one, or the only one. */
  collectionId: number | null;
  projectId: number | undefined;
  onOther: () => void;
  onClose: () => void;
}

/** What is in the file, where it goes and as what. */
export function ReadyImport({
  file,
  preview,
  collections,
  collectionId,
  projectId,
  ...on
}: ReadyImportProps) {
  const { head, contents } = preview;
  const [chosen, setChosen] = useState(0);
  const content = contents[chosen] ?? contents[0];
  const fields = inferFields(content);
  const [columns, setColumns] = useState(() => proposeColumns(content, fields));
  const plan = { content, fields, columns };
  const target = useTarget({ collections, collectionId, projectId, fileName: file.name, columns });
  const check = useCheck({ file, head, plan });
  const fault = faultOfColumns(columns);
  // What was checked is not what would be sent now, or not where it would go.
  const choose = (id: number | null) => {
    target.choose(id);
    check.forget();
  };
  const setName = (name: string) => {
    target.setName(name);
    check.forget();
  };
  const setProjectId = (id: number | null) => {
    target.setProjectId(id);
    check.forget();
  };
  const { user } = useAuth();
  const { open } = useDialogs();
  const queryClient = useQueryClient();

  const begin = async () => {
    const collection = await target.ensure();
    if (!collection || !user) return;
    target.keep();
    const openRejects = (rejects: Rejects) => open('mend-rows', { rejects });
    startImport({ file, head, plan, collection }, { userId: user.id, queryClient, openRejects });
    on.onClose();
  };
  return (
    <Stack>
      <FileFacts file={file} content={content} isGzip={head.isGzip} onOther={on.onOther} />
      {contents.length > 1 && (
        <Select
          label="What is imported"
          description="The file is one JSON object. Its documents may stand in an array inside of it."
          allowDeselect={false}
          data={contents.map((one, place) => ({ value: String(place), label: describeContent(one) }))}
          value={String(chosen)}
          onChange={(place) => {
            setChosen(Number(place));
            check.forget();
          }}
        />
      )}
      <ImportTarget target={{ ...target, choose, setName, setProjectId }} />
      <Proposals fields={fields} columns={columns} />
      <RowsPreview
        content={content}
        fields={fields}
        columns={columns}
        onColumns={(next) => {
          setColumns(next);
          check.forget();
        }}
        canChooseTypes={target.isNew}
      />
      {(fault ?? target.fault) && (
        <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
          {fault ?? target.fault}
        </Alert>
      )}
      <CheckResult state={check.state} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={on.onClose}>
          Cancel
        </Button>
        <Button
          variant="default"
          disabled={fault !== null || !target.isReady || target.isMaking}
          loading={check.state.step === 'checking'}
          onClick={async () => {
            const collection = await target.ensure();
            if (collection) await check.run(collection);
          }}
        >
          Check all rows
        </Button>
        <Button
          leftSection={<Icon shape={uploadIcon} />}
          disabled={fault !== null || !target.isReady}
          loading={target.isMaking}
          onClick={begin}
        >
          {content.isAll ? `Import ${countWords(content.rows.length - content.unread.length)}` : 'Import'}
        </Button>
      </Group>
    </Stack>
  );
}

function countWords(count: number): string {
  return count === 1 ? '1 document' : `${formatNumber(count)} documents`;
}

/** Where some cannot be read that is said before they are sent. */
function countedRows({ rows, unread }: UploadContent): string {
  if (unread.length === 0) return countWords(rows.length);
  return `${formatNumber(rows.length)} rows, of which ${formatNumber(unread.length)} cannot be read`;
}

function describeContent({ format, rows, isAll, wrapper }: UploadContent): string {
  if (format === 'document') return 'The whole object, as 1 document';
  const count = isAll ? countWords(rows.length) : `${formatNumber(rows.length)} documents and more`;
  return wrapper ? `${count} under “${wrapper.path}”` : count;
}

interface FileFactsProps {
  file: File;
  content: UploadContent;
  isGzip: boolean;
  onOther: () => void;
}

/** Has the focus once the file is read, since what was chosen by is gone. */
function FileFacts({ file, content, isGzip, onOther }: FileFactsProps) {
  const name = useRef<HTMLParagraphElement>(null);
  useEffect(() => name.current?.focus(), []);
  const delimiters: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };
  const kind = content.table
    ? `Table with ${delimiters[content.table.delimiter] ?? content.table.delimiter}`
    : formatNames[content.format];
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text
          ref={name}
          tabIndex={-1}
          className={classes['file'] ?? ''}
          fw={600}
          size="sm"
          lineClamp={1}
          title={file.name}
        >
          {file.name}
        </Text>
        <Text size="sm" c="dimmed">
          {[kind, isGzip && 'gzipped', formatBytes(file.size), content.isAll && countedRows(content)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <Button variant="subtle" size="xs" flex="none" onClick={onOther}>
        Choose another
      </Button>
    </Group>
  );
}
