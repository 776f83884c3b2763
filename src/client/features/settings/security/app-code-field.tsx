import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import classes from './app-code-field.module.css';

interface AppCodeFieldProps {
  form: Pick<UseFormReturnType<{ code: string }>, 'getInputProps'>;
  label: string;
  /** A recovery code is taken too. */
  takesRecoveryCodes?: boolean;
  /** It comes after something that was typed: whoever types goes on. */
  isNext?: boolean;
}

export function AppCodeField({ form, label, takesRecoveryCodes = false, isNext = false }: AppCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNext) input.current?.focus();
  }, [isNext]);
  return (
    <TextInput
      ref={input}
      label={label}
      description={takesRecoveryCodes ? 'Six digits of the app, or a recovery code' : 'Six digits'}
      required
      inputMode={takesRecoveryCodes ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      classNames={{ input: classes['code'] ?? '' }}
      {...form.getInputProps('code')}
    />
  );
}
