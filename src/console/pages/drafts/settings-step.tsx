import { useState } from 'preact/hooks';
import { SelectField } from '../parts/field.tsx';
import { machineZone } from '../parts/times.tsx';
import { RulesField } from './rules-field.tsx';
import { AgentField, ServiceField, SettingField } from './setting-fields.tsx';
import type { DraftChange, StepProps } from './use-draft.ts';
import { WeekCalendar } from './week-calendar.tsx';

/** Service, agent, when people are called, and how fast. Each value is kept as soon as its field is left. */
export function SettingsStep({ draft, state }: StepProps) {
  const [last, setLast] = useState('');
  const { settings } = draft;
  const problemAt = (key: string) => (key === last ? state.problem : undefined);
  const change = (key: string, wanted: DraftChange) => {
    setLast(key);
    state.change(wanted);
  };
  const set = (key: string, value: string) => {
    change(key, (now) => {
      const others = Object.entries(now.settings).filter(([one]) => one !== key);
      const all = value.trim() === '' ? others : [...others, [key, value.trim()]];
      return { settings: Object.fromEntries(all) as Record<string, string> };
    });
  };
  const text = (key: string, label: string, about: string, placeholder = '') => (
    <SettingField
      label={label}
      about={about}
      placeholder={placeholder}
      value={settings[key] ?? ''}
      problem={problemAt(key)}
      onCommit={(value) => {
        set(key, value);
      }}
    />
  );
  const isSimulated = draft.service === 'simulated';
  const rules = settings['rules'] ?? (isSimulated ? 'always' : 'conservative');
  return (
    <section class="stack">
      <div class="card padded">
        <h2>Who calls</h2>
        <div class="columns">
          <SettingField
            label="Name of the campaign"
            about="Left empty: that of the first list."
            value={draft.name}
            problem={problemAt('name')}
            onCommit={(name) => {
              change('name', () => ({ name }));
            }}
          />
          <ServiceField
            value={draft.service}
            problem={problemAt('service')}
            onChange={(service) => {
              change('service', () => ({ service, agent: null }));
            }}
          />
          <AgentField
            key={draft.service ?? ''}
            service={draft.service}
            value={draft.agent}
            problem={problemAt('agent')}
            onChange={(agent) => {
              change('agent', () => ({ agent }));
            }}
          />
          {text('country', 'Country', 'For numbers without +; without it they are refused.', 'US')}
        </div>
      </div>
      <div class="card padded">
        <h2>When people are called</h2>
        <RulesField
          value={rules}
          onChange={(value) => {
            set('rules', value);
          }}
        />
        <div class="columns">
          {text(
            'hours.from',
            'Own hours from',
            'Within those of the rules; empty: no own hours.',
            '18:00',
          )}
          {text('hours.to', 'to', 'Half-open: no call begins at this minute.', '21:00')}
          {text('hours.days', 'on', 'Empty: every day.', 'mon-fri')}
          {text(
            'timezone',
            'Time zone',
            'Of the own hours and of the times that are shown.',
            machineZone.value,
          )}
        </div>
        <WeekCalendar
          rules={rules}
          from={settings['hours.from']}
          to={settings['hours.to']}
          days={settings['hours.days']}
          timezone={settings['timezone'] ?? machineZone.value}
        />
      </div>
      <div class="card padded">
        <h2>How fast, and how often</h2>
        <div class="columns">
          {text('concurrency', 'Calls at once', 'Calls in progress at most.', '5')}
          {text(
            'pace',
            'Pace',
            'Calls begun, as 60/min or 10/s; empty: no limit but calls at once.',
            '60/min',
          )}
          {text('retry.attempts', 'Calls to a person', 'In all; 1: nobody is called again.', '1')}
          {text('retry.after.no_answer', 'Again after no answer', 'For instance 2h.', '2h')}
          {text('retry.after.busy', 'Again after busy', 'For instance 30m.', '30m')}
          {text('retry.after.voicemail', 'Again after voicemail', 'For instance 1d.', '1d')}
          <SelectField
            label="Results"
            about="The file that is written when it ends; others can be downloaded at any time."
            value={settings['results.format'] ?? 'csv'}
            onChange={(value) => {
              set('results.format', value);
            }}
            choices={[
              { value: 'csv', text: 'csv' },
              { value: 'excel', text: 'csv for Excel' },
              { value: 'xlsx', text: 'workbook (xlsx)' },
              { value: 'jsonl', text: 'JSON lines' },
            ]}
          />
        </div>
      </div>
    </section>
  );
}
