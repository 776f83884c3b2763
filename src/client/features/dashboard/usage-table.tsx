import { Table } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { ApiUsage } from '#shared/dashboard.ts';
import { dayLabel } from './day-label.ts';

export function UsageTable({ days }: { days: ApiUsage[] }) {
  return (
    <Table verticalSpacing={4} mih="15.5rem">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Day (UTC)</Table.Th>
          <Table.Th scope="col" ta="right">
            Requests
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ date, requests }) => (
          <Table.Tr key={date}>
            <Table.Th scope="row" fw={400}>
              {dayLabel(date, 'long')}
            </Table.Th>
            <Table.Td ta="right">{formatNumber(requests)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
