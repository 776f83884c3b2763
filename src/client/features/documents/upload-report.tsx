import { Alert, Button, Group, Paper, Stack, Table } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, checkIcon, downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { download } from '#client/lib/download.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ImportResult, ImportSummary } from '#shared/documents.ts';
import classes from './upload-report.module.css';

interface UploadReportProps {
  fileName: string;
  summary: ImportSummary;
  onAgain: () => void;
  onClose: () => void;
}

/** So many failed rows are listed; all of them are in the file. */
const rowsShownMax = 100;

export function UploadReport({ fileName, summary, onAgain, onClose }: UploadReportProps) {
  const { succeeded, failed } = summary;
  const failures = summary.results.filter((result) => !result.success);
  return (
    <Stack>
      <Alert
        role="status"
        color={failed === 0 ? 'green' : succeeded === 0 ? 'red' : 'yellow'}
        icon={<Icon shape={failed === 0 ? checkIcon : alertTriangleIcon} />}
        title={`${formatNumber(succeeded)} in, ${formatNumber(failed)} failed`}
      >
        {outcome(fileName, summary)}
      </Alert>
      {failures.length > 0 && <FailedRows failures={failures} />}
      <Group justify="flex-end" gap="xs">
        {failures.length > 0 && (
          <Button
            variant="subtle"
            leftSection={<Icon shape={downloadIcon} />}
            onClick={() => download(`${fileName}.failed.ndjson`, failedRowsFile(failures))}
          >
            Download failed rows
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          Upload another file
        </Button>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

function outcome(fileName: string, { succeeded, failed }: ImportSummary): string {
  if (failed === 0) return `All documents of ${fileName} can be searched now.`;
  const refused = 'The rows below were refused and changed nothing.';
  return succeeded === 0
    ? `No document was stored. ${refused}`
    : `The documents that are in can be searched now. ${refused}`;
}

function FailedRows({ failures }: { failures: ImportResult[] }) {
  const rest = failures.length - rowsShownMax;
  return (
    <Paper withBorder className={classes['rows'] ?? ''}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
      <section className={classes['scroller']} tabIndex={0} aria-label="Failed rows">
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Row</Table.Th>
              <Table.Th>Id</Table.Th>
              <Table.Th>What was wrong</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {failures.slice(0, rowsShownMax).map(({ index, id, error }) => (
              <Table.Tr key={index}>
                <Table.Td ta="right">{formatNumber(index + 1)}</Table.Td>
                <Table.Td className={classes['words'] ?? ''}>{id ?? '–'}</Table.Td>
                <Table.Td className={classes['words'] ?? ''}>{error}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rest > 0 && <p className={classes['rest']}>and {formatNumber(rest)} more, all in the file</p>}
      </section>
    </Paper>
  );
}

function failedRowsFile(failures: ImportResult[]): string {
  return failures
    .map(({ index, id, code, error }) => `${JSON.stringify({ row: index + 1, id, code, error })}\n`)
    .join('');
}
