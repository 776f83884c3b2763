import { Alert, List, Progress, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, checkIcon } from '#client/components/display/icon-shapes.gen.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ImportFault } from '#shared/documents.ts';
import { repeatWords } from './repeats.ts';
import { type CheckState, checkRowsMax } from './use-check.ts';

const causesShown = 5;

/** What a dry run found, by cause. */
export function CheckResult({ state }: { state: CheckState }) {
  if (state.step === 'none') return null;
  if (state.step === 'checking') {
    return (
      <Stack gap={4} role="status">
        <Text size="sm">Checking all rows; nothing is written.</Text>
        <Progress value={state.percent} animated={state.percent >= 100} aria-label="Check" />
      </Stack>
    );
  }
  if (state.step === 'too many') {
    return (
      <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />} role="status">
        A check has room for some {formatNumber(checkRowsMax)} rows, and this file has more. Import it as it
        is: rows that are refused are told, and can be mended and sent again.
      </Alert>
    );
  }
  if (state.step === 'failed') {
    return (
      <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert" title="The check failed">
        {state.message}
      </Alert>
    );
  }
  const { succeeded, failed, faults, repeats } = state.outcome;
  const again = repeats ? repeatWords(repeats, 'comes') : null;
  if (failed === 0) {
    return (
      <Alert color="green" icon={<Icon shape={checkIcon} />} role="status">
        All {formatNumber(succeeded)} rows are good.
        {again && ` They are ${formatNumber(repeats?.documents ?? 0)} documents: ${again}.`}
      </Alert>
    );
  }
  return (
    <Alert
      color="yellow"
      icon={<Icon shape={alertTriangleIcon} />}
      role="status"
      title={`${formatNumber(succeeded)} rows are good, ${formatNumber(failed)} would be refused`}
    >
      <List size="sm">
        {faults.slice(0, causesShown).map((fault) => (
          <List.Item key={`${fault.code} ${fault.message}`}>{describeFault(fault)}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        The good ones can be imported; the others can be mended afterwards.
        {again && ` Of the good ones ${again}.`}
      </Text>
    </Alert>
  );
}

function describeFault({ message, count, rows }: ImportFault): string {
  const places = rows.map((index) => formatNumber(index + 1)).join(', ');
  const more = count > rows.length ? ' …' : '';
  return `${message} (${count === 1 ? 'row' : `${formatNumber(count)} rows:`} ${places}${more})`;
}
