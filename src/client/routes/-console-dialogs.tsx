import type { ComponentType } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import {
  type DialogName,
  type Dialogs,
  type FormsOf,
  type OpenDialog,
  useDialogs,
} from '#client/components/shell/dialogs-provider.tsx';
import { useLast } from '#client/lib/use-last.ts';

const features = import.meta.glob<{ dialogs: Partial<FormsOf<Dialogs>> }>('../features/*/dialogs.ts', {
  eager: true,
});
// Each file has a form for every name that it adds.
const forms = Object.assign({}, ...Object.values(features).map(({ dialogs }) => dialogs)) as FormsOf<Dialogs>;

/** The features' dialogs, of which one at a time is open. */
export function ConsoleDialogs() {
  const { opened, close } = useDialogs();
  const shown = useLast(opened);
  const { title, size = 'md' } = shown ? forms[shown.name] : {};
  return (
    <Dialog opened={opened !== null} onClose={close} title={title} size={size}>
      {shown && <Shown key={shown.key} dialog={shown} onClose={close} />}
    </Dialog>
  );
}

function Shown<Name extends DialogName>(props: { dialog: OpenDialog<Name>; onClose: () => void }) {
  const { name, given } = props.dialog;
  return contentOf(forms[name].Form, { ...given, onClose: props.onClose });
}

function contentOf<Props extends object>(Form: ComponentType<Props>, props: Props) {
  return <Form {...props} />;
}
