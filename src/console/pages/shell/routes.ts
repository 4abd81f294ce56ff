import type { ComponentType } from 'preact';
import { lazy } from './lazy.tsx';
import type { PageProps } from './navigation.ts';

/** A page: its first part of the path, and what it is loaded from when it is first opened. */
export interface Page {
  /** The heading of the browser's tab. */
  title: string;
  show: ComponentType<PageProps>;
}

/** By the first part of the path; '' is the first page. */
export const PAGES: Readonly<Record<string, Page>> = {
  '': { title: 'Campaigns', show: lazy(() => import('../campaigns/campaigns-page.tsx')) },
  new: { title: 'New campaign', show: lazy(() => import('../drafts/new-page.tsx')) },
  campaigns: { title: 'Campaign', show: lazy(() => import('../campaign/campaign-page.tsx')) },
  suppression: {
    title: 'Suppression',
    show: lazy(() => import('../suppression/suppression-page.tsx')),
  },
  agents: { title: 'Agents', show: lazy(() => import('../agents/agents-page.tsx')) },
  services: { title: 'Services', show: lazy(() => import('../services/services-page.tsx')) },
  inbox: { title: 'Inbox', show: lazy(() => import('../inbox/inbox-page.tsx')) },
  schedule: { title: 'Schedule', show: lazy(() => import('../schedule/schedule-page.tsx')) },
  access: { title: 'Users and tokens', show: lazy(() => import('../access/access-page.tsx')) },
  log: { title: 'Log', show: lazy(() => import('../log/log-page.tsx')) },
  account: { title: 'Account', show: lazy(() => import('../account/account-page.tsx')) },
};
