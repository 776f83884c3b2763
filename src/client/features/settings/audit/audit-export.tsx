import { Button, Group, Menu, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { AuditChosen } from './use-audit-entries.ts';
import { useAuditExport } from './use-audit-export.ts';

interface AuditExportProps {
  chosen: AuditChosen;
  /** Null: not known yet. */
  total: { total: number; isMore: boolean } | null;
}

/** What the filters let through, all of it, as a file. */
export function AuditExport({ chosen, total }: AuditExportProps) {
  const { entries, start, cancel } = useAuditExport(chosen);
  if (entries !== null)
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {formatNumber(entries)}
          {total && !total.isMore && ` of ${formatNumber(total.total)}`} entries
        </Text>
        <Button variant="default" onClick={cancel}>
          Cancel export
        </Button>
      </Group>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon shape={downloadIcon} />} disabled={total?.total === 0}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start('csv')}>CSV, for a spreadsheet</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>JSON, one entry a line</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
