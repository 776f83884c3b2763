import { expect } from '@playwright/test';
import { button, heading, press, type Screen, text } from './screen.ts';

/** What visitors see. */
export const publicScreens: Screen[] = [
  {
    name: 'landing',
    route: '/',
    path: () => '/',
    shown: heading('Pricing'),
    isPublic: true,
    canFail: false,
    states: {
      'two hits': async (page) => {
        await page.getByPlaceholder('Search for products').fill('something to keep me warm');
        await expect(page.getByText(/best hits?, found/)).toBeVisible();
      },
      'nothing found': async (page) => {
        await page.getByPlaceholder('Search for products').fill('qqqxyz');
        await expect(page.getByText('Nothing in this shop fits').first()).toBeVisible();
      },
      comparison: async (page) => {
        await page.locator('#compare').scrollIntoViewIfNeeded();
        await expect(page.getByText(/^Three searches in/)).toBeVisible();
      },
      'nobody to write to': press('Schedule Demo', text('named nobody to write to')),
      failed: async (page) => {
        await page.route('**/trpc/demo.*', (route) => route.abort());
        await page.getByPlaceholder('Search for products').fill('something to keep me warm');
        await expect(page.getByText('The demo cannot answer:').first()).toBeVisible();
      },
    },
  },
  {
    name: 'landing, by its second address',
    route: '/landing',
    path: () => '/landing',
    shown: heading('Pricing'),
    isPublic: true,
    canFail: false,
  },
  {
    name: 'login',
    route: '/login',
    path: () => '/login',
    shown: heading('Welcome back'),
    isPublic: true,
    canFail: false,
    states: {
      'nothing typed': press('Sign In', text('Email is required.')),
      refused: async (page) => {
        await page.getByLabel('Email').fill('nobody@example.com');
        await page.getByLabel('Password', { exact: true }).fill('wrong');
        await button(page, 'Sign In').click();
        await expect(page.getByText('Invalid email or password')).toBeVisible();
      },
    },
  },
  {
    name: 'register',
    route: '/register',
    path: () => '/register',
    shown: heading('Create your account'),
    isPublic: true,
    canFail: false,
    states: { 'nothing typed': press('Create account', text('Email is required.')) },
  },
  {
    name: 'forgotten password',
    route: '/forgot-password',
    path: () => '/forgot-password',
    shown: heading(/./),
    isPublic: true,
    canFail: false,
  },
  {
    name: 'a new password, of a link that is not good',
    route: '/reset-password/$token',
    path: () => '/reset-password/unknown',
    shown: heading(/./),
    isPublic: true,
    canFail: false,
  },
  {
    name: 'another email, of a link that is not good',
    route: '/confirm-email/$token',
    path: () => '/confirm-email/unknown',
    shown: heading(/./),
    isPublic: true,
    canFail: false,
  },
  {
    name: 'invitation',
    route: '/invitations/$token',
    path: ({ invitation }) => `/invitations/${invitation}`,
    shown: heading(/^Join/),
    isPublic: true,
    canFail: false,
  },
  {
    name: 'no such page',
    route: '/$',
    path: () => '/nowhere',
    shown: heading('404 Page Not Found'),
    canFail: false,
  },
];
