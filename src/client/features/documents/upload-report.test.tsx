import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import type { ImportSummary } from '#shared/documents.ts';
import { UploadReport } from './upload-report.tsx';

const refused = { index: 0, id: null, success: false, error: 'A document can be at most 4 MB' };

const renderReport = (summary: ImportSummary) =>
  renderPart(
    <UploadReport
      fileName="films.json"
      summary={summary}
      onAgain={() => undefined}
      onClose={() => undefined}
    />,
  );

it('does not speak of stored documents where there are none', async () => {
  renderReport({
    succeeded: 0,
    failed: 1,
    faults: [],
    results: [refused as ImportSummary['results'][number]],
  });
  expect(await screen.findByText(/^No document was stored\./)).toBeDefined();
  expect(screen.queryByText(/can be searched now/)).toBe(null);
});
