// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearToasts, currentToast, dismissToast, toast } from './toast.ts';

afterEach(clearToasts);

const undo = { label: 'Undo', altText: 'Undo the deletion', onClick: vi.fn() };
const shown = () => (currentToast()?.open ? currentToast()?.title : undefined);
const dismiss = () => dismissToast(currentToast()?.id ?? 0);

describe('toast', () => {
  it('shows one at a time: the newest', () => {
    toast({ title: 'first' });
    toast({ title: 'second' });
    expect(shown()).toBe('second');
    dismiss();
    expect(shown()).toBeUndefined();
  });

  it('forgets a dismissed one after 1,000,000 ms', () => {
    vi.useFakeTimers();
    try {
      toast({ title: 'first' });
      dismiss();
      vi.advanceTimersByTime(999_999);
      expect(currentToast()).toMatchObject({ title: 'first', open: false });
      vi.advanceTimersByTime(1);
      expect(currentToast()).toBe(null);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not displace one with an action; the newest plain one follows it', () => {
    toast({ title: 'deleted', action: undo });
    toast({ title: 'copied' });
    toast({ title: 'updated' });
    expect(shown()).toBe('deleted');
    dismiss();
    expect(shown()).toBe('updated');
    dismiss();
    expect(shown()).toBeUndefined();
  });

  it('drops no action: each waits for its turn', () => {
    toast({ title: 'first', action: undo });
    toast({ title: 'second', action: undo });
    toast({ title: 'plain' });
    toast({ title: 'third', action: undo });
    const order = [shown()];
    for (let turn = 0; turn < 3; turn++) {
      dismiss();
      order.push(shown());
    }
    expect(order).toEqual(['first', 'second', 'plain', 'third']);
  });

  it('ignores the dismissal of one that is gone', () => {
    toast({ title: 'first' });
    const gone = currentToast()?.id ?? 0;
    toast({ title: 'second' });
    dismissToast(gone);
    expect(shown()).toBe('second');
  });
});
