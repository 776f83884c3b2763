import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useAuth } from './auth-provider.tsx';

function Who() {
  return <output>{useAuth().user?.username}</output>;
}

it('says where useAuth may be used', () => {
  expect(() => renderToStaticMarkup(<Who />)).toThrow('useAuth must be used within an AuthProvider');
});
