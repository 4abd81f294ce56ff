import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Agents, Service, Services } from '../../../views/services.ts';
import { useAction } from '../api/action.ts';
import { consoleNow, path, send } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { RenameDialog } from '../campaign/controls.tsx';
import { useSettings } from '../campaign/settings/setting-forms.tsx';
import { SettingsTab } from '../campaign/settings/settings-tab.tsx';
import type { ShownCampaign } from '../campaign/use-campaign.tsx';
import { Confirm, useOver } from '../parts/dialog.tsx';
import { SelectField, type FieldProps } from '../parts/field.tsx';
import { ProblemNotice, Reading, Said } from '../parts/notice.tsx';
import { Menu, MenuItem } from '../parts/page-head.tsx';
import { WeekCard } from '../schedule/days-ahead.tsx';
import { go } from '../shell/navigation.ts';
import './drafts.css';
import { ColumnsStep } from './lists/columns-step.tsx';
import { RowsStep } from './lists/rows-step.tsx';
import { SendingList, UploadStep } from './lists/upload-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { NextStep, Steps, type Step } from './steps.tsx';
import { useDraftJob, useSent, type StepProps } from './use-draft.tsx';

const SHOW: Record<Step, (props: StepProps) => preact.JSX.Element | null> = {
  upload: UploadStep,
  columns: ColumnsStep,
  rows: RowsStep,
  settings: SettingsStep,
  plan: PlanStep,
};

/** What a draft without people has in place of the tabs of a campaign. */
export function DraftSteps({
  step,
  shown,
  jobs,
}: Pick<StepProps, 'shown' | 'jobs'> & { step: Step }) {
  const sent = useSent(shown);
  const Shown = SHOW[step];
  return (
    <>
      <Steps name={shown.campaign.name} current={step} />
      <SendingList files={sent.sending.files} />
      <Shown key={step} shown={shown} sent={sent} jobs={jobs} />
      {sent.question}
    </>
  );
}

/** A draft without people is renamed or given up; the rest is done in its steps. */
export function DraftControls({ shown }: { shown: ShownCampaign }) {
  const { name, version } = shown.campaign;
  const { over: dialog, opens, close } = useOver<'rename' | 'remove'>();
  const removing = useAction(async () => {
    await send('DELETE', `${path`/campaigns/${name}`}?ifVersion=${version}`);
    go('/', { replace: true });
  });
  return (
    <>
      <Menu label="More">
        <MenuItem text="Rename" does={opens('rename')} />
        <MenuItem text="Give up" does={opens('remove')} />
      </Menu>
      {dialog === 'rename' && <RenameDialog shown={shown} onClose={close} />}
      {dialog === 'remove' && (
        <Confirm
          title={`Give up ${name}?`}
          does="Delete its lists and choices"
          isDanger
          action={removing}
          onClose={close}
        >
          <p>Nobody of it was called. The files that you sent are deleted here.</p>
        </Confirm>
      )}
    </>
  );
}

/** Who calls, and all other settings, as any campaign has them. */
function SettingsStep({ shown }: StepProps) {
  return (
    <div class="stack wide">
      <ServiceFields shown={shown} />
      <SettingsTab shown={shown} week={<WeekOfSent campaign={shown.campaign} />} />
      <NextStep name={shown.campaign.name} next="plan" />
    </div>
  );
}

/** When people of the lists that are not imported yet may be called, by the settings that are saved. */
function WeekOfSent({ campaign }: { campaign: CampaignDetail }) {
  const { job, problem } = useDraftJob(campaign, 'survey');
  const ahead = job?.kind === 'survey' && job.result?.ahead;
  const refused = problem ?? job?.problem ?? undefined;
  return (
    <>
      <Reading of={{ value: job?.endedAt ?? undefined, problem: refused }} what="the week ahead" />
      {ahead && <WeekCard ahead={ahead} now={new Date(consoleNow()).toISOString()} />}
    </>
  );
}

/** Service and agent: who makes the calls, and who speaks. */
function ServiceFields({ shown }: Pick<StepProps, 'shown'>) {
  const { service, agent, version } = shown.campaign;
  const services = useRead<Services>('/services');
  const chosen = services.value?.items.find(({ name }) => name === service);
  const change = useSettings(shown, { now: (now) => `It calls by ${now.service || 'none'} now.` });
  const set = (key: 'service' | 'agent') => (value: string) => {
    if (value !== '') void change.run(version, { [key]: value });
  };
  const refused = change.problem ?? services.problem;
  const isAgent = change.problem?.code.startsWith('AGENT_') === true;
  return (
    <section class="card padded" aria-label="Who calls">
      <h2>Who calls</h2>
      <div class="columns">
        <SelectField
          label="Service"
          about={chosen === undefined ? 'Makes the calls' : aboutService(chosen)}
          value={service}
          problem={isAgent ? undefined : refused}
          onChange={set('service')}
          any={service === '' ? 'Choose a service' : undefined}
          choices={(services.value?.items ?? []).map((one) => ({
            value: one.name,
            text: nameOf(one),
          }))}
        />
        {chosen !== undefined && !chosen.simulated && (
          <AgentField
            key={service}
            service={service}
            value={agent}
            problem={isAgent ? refused : undefined}
            onChange={set('agent')}
          />
        )}
      </div>
      {change.question}
    </section>
  );
}

/** The agents of the service that is chosen; what was chosen is shown even when the service cannot be asked. */
function AgentField({ service, ...field }: Omit<FieldProps, 'label'> & { service: string }) {
  const { value: chosen } = field;
  const agents = useRead<Agents>(path`/services/${service}/agents`);
  const items = agents.value?.items ?? [];
  const none = agents.value ? 'Choose an agent' : 'Asking the service...';
  if (agents.problem !== undefined) return <ProblemNotice problem={agents.problem} />;
  return (
    <SelectField
      label="Agent"
      about={
        agents.value !== undefined && items.length === 0 ? (
          <>
            The service has none yet: <a href="/agents">create one</a>
          </>
        ) : (
          'Speaks with people'
        )
      }
      {...field}
      any={chosen === '' ? none : undefined}
      choices={items.map(({ id, name }) => ({ value: id, text: name ?? id }))}
    />
  );
}

function nameOf({ name, simulated, live }: Service): string {
  if (simulated) return `${name}: nobody is called`;
  return live ? `${name}: calls real people` : `${name}: on this machine`;
}

function aboutService({ problem, from, simulated }: Service) {
  if (problem !== null)
    return (
      <Said text={`${problem.detail} ${problem.hint === null ? '' : `Next: ${problem.hint}.`}`} />
    );
  if (simulated) return 'Built into callsheet, for trying things out';
  return from === null ? 'Makes the calls' : `Calls come from ${from}`;
}
