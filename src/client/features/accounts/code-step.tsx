import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { AuthLayout } from './auth-layout.tsx';
import { CodeForm, type CodeKind, codeKinds } from './code-form.tsx';

interface CodeStepProps {
  /** `why` is what the server said, where it asks for the password again. */
  onStartOver: (why: unknown) => void;
}

/** The second step of signing in, for accounts that ask for a code after the password. */
export function CodeStep({ onStartOver }: CodeStepProps) {
  const [by, setBy] = useState<CodeKind>('app');
  return (
    <AuthLayout
      title="Enter your code"
      subtitle={codeKinds[by].subtitle}
      footer={
        <>
          Not your account?{' '}
          <Anchor component="button" type="button" underline="always" onClick={() => onStartOver(null)}>
            Start over
          </Anchor>
        </>
      }
    >
      <CodeForm by={by} onOther={setBy} onStartOver={onStartOver} />
    </AuthLayout>
  );
}
