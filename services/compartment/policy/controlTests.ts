/**
 * The tests behind each control that the doctor states, as `file: title`. A control that is claimed is backed by one that
 * tries to break it on the real engine; one that is not there, by one that is refused. `doctorReport.test.ts` holds the
 * doctor and the tests to this list, in both directions. Pure data.
 */
const hostile = "engine/hostile.int.test.ts";
const budgets = "turn/budgets.int.test.ts";
const commands = "cli/commands.int.test.ts";
const jobs = "jobs/jobs.int.test.ts";
const network = "network/namedNetwork.int.test.ts";
const process = "process/process.int.test.ts";
const documents = "cli/documents.int.test.ts";

const github = [
  `${network}: reads GitHub with a token that nobody sees`,
  `${network}: goes to one place below api.github.com, whichever reader it is, and to no place that it is sent to`,
  `${network}: encodes what a program names and refuses what is no name`,
];

export const controlTests: Readonly<Record<string, readonly string[]>> = {
  ambient_authority: [
    `${hostile}: has none of the globals that reach time, memory, threads or the host`,
    `${hostile}: denies every import that no policy names, and reads no file for it`,
  ],
  tools: [`${documents}: deny the tool that was never granted, and say so in the log`],
  approval_gates: [
    `${commands}: holds a call until a person allows it, and lets it through once`,
    `${commands}: does not take an approval for other arguments, another program or another run`,
  ],
  secret_scopes: [`${commands}: never writes a secret's value, whatever a tool or the program does with it`],
  event_budget: [
    `${budgets}: allows exactly the number of events and refuses the next`,
    `${budgets}: counts the UTF-8 bytes of an event: the limit fits, one more does not`,
  ],
  audit_redaction: [
    `${commands}: never writes a secret's value, whatever a tool or the program does with it`,
  ],
  audit_chain: [
    "audit/auditChain.test.ts: notices every byte that is flipped, and names the line",
    "audit/auditChain.test.ts: refuses lines that are missing, swapped, doubled or from another run, by number",
    "jobs/killed.int.test.ts: converges when it is killed in every step, an effect without its result included",
  ],
  tool_payload_budget: [
    `${budgets}: measures the arguments of a call before anything happens`,
    `${budgets}: keeps a result that is over its bytes from the program`,
  ],
  clone_payload_bytes: [
    `${hostile}: reads a getter once: the bytes that were audited are the bytes that were sent`,
    "engine/membrane.int.test.ts: comes back from a tool as it went, and stands so in the log",
  ],
  json_depth: [`${hostile}: refuses JSON that is deeper than a walk should go, in both directions`],
  memory_heap: [
    `${budgets}: ends a program whose memory grows, even when it catches what the engine throws`,
    `${budgets}: leaves a program its memory to the last page, and ends it with the next`,
  ],
  memory_rss: [
    "turn/rssBudget.int.test.ts: leaves a process alone that has exactly what it may have, and ends it with one byte more",
    `${budgets}: ends a program at the first look that finds more than it may have`,
    "engine/ownProcess.int.test.ts: is ended from outside when it takes more, and its log is closed",
    "engine/ownProcess.int.test.ts: cannot be limited to less than the process alone takes, and the refusal says why",
  ],
  sync_timeout: [
    "engine/runningTime.test.ts: gives a program all of its time, and ends it in the millisecond after",
    `${budgets}: does not count the time in which its parent was busy with something else`,
    `${budgets}: ends a program that runs out of time from outside, and closes its log`,
    `${hostile}: ends what the engine itself never interrupts`,
  ],
  tenant_timeout_catchability: [
    `${budgets}: does not let try, catch and finally resume after the time is over`,
    `${budgets}: does not let try, catch and finally resume after a step breach`,
  ],
  microtask_budget: [
    `${budgets}: runs exactly the microtasks that are allowed`,
    `${hostile}: ends promise chains without an end at the budget, however they are made`,
  ],
  step_budget: [
    `${budgets}: counts steps in granules: the last poll that is allowed and the one after it`,
    `${budgets}: stops steps at the same place on every run`,
  ],
  pending_promise_disposition: [`${hostile}: ends a turn whose promises never settle as a good one`],
  unhandled_rejection: [
    `${hostile}: calls a rejected body a failure, and does not see a rejection that nobody waits for`,
  ],
  async_tool_timeout: [
    `${budgets}: gives a tool its own time, once, and never runs the continuation`,
    `${budgets}: takes what a tool gives exactly at the end of its time, and not what it gives a millisecond later`,
  ],
  clock_and_random: ["engine/ordinary.int.test.ts: run the same twice, random numbers included"],
  code_generation: [
    `${hostile}: refuses every constructor that makes code from text`,
    `${hostile}: has no eval, neither direct nor indirect`,
  ],
  intrinsics: [
    `${hostile}: freezes the intrinsics and says that nothing was polluted`,
    `${hostile}: starts each program in an engine that nothing ran in before`,
  ],
  module_policy: [
    `${hostile}: denies every import that no policy names, and reads no file for it`,
    `${jobs}: refuses another program or module`,
  ],
  entrypoint: [
    "engine/ordinary.int.test.ts: import what the policy admits, statically and later, and run a module as the program",
  ],
  package_imports: [
    "policy/packageGraph.int.test.ts: is refused when any file of it is another, more or less",
    "policy/packageGraph.int.test.ts: is not entered beside its entry, and not left by a relative path",
  ],
  import_hooks: [`${commands}: answers an import from a hook while its file is what it was pinned as`],
  fs_read: [
    `${commands}: read what is admitted and nothing beside it`,
    `${process}: changes nothing of what the program may read: that was read before it began`,
    "tools/readSnapshot.int.test.ts: is no link and nothing but text",
  ],
  artifact_write: [`${commands}: create artifacts inside their folder, once each, through no link`],
  expected_events: [
    `${commands}: checks what the run promised of its events`,
    `${jobs}: keeps what it promised of its events over all its ticks, or fails at its end`,
  ],
  osv_query: [
    `${network}: asks osv.query at its one address and gives the answer`,
    `${network}: asks osv.query at no place that api.osv.dev points to`,
  ],
  npm_metadata: [
    `${network}: asks npm.metadata of the registry that the run was pinned to`,
    `${network}: asks npm.metadata at no place that the registry points to`,
    `${network}: encodes what a program names and refuses what is no name`,
  ],
  github_issue_read: github,
  github_pr_read: github,
  github_pr_files_list: github,
  github_release_latest_read: github,
  github_repo_read: github,
  github_file_read: github,
  github_compare_read: github,
  github_commit_read: github,
  github_workflow_run_read: github,
  github_workflow_jobs_list: github,
  github_check_runs_list: github,
  named_network_cache: [
    `${network}: keeps an answer and serves it, also offline, and says so in the log`,
    `${network}: asks again when an answer is older than it may be`,
    `${network}: keeps no more than it may, and removes the oldest`,
    `${network}: takes an entry that was changed for none`,
    `${network}: serves what a token may see to that token's runs only`,
  ],
  named_network_retry: [`${network}: tries again as often as it may, and records each try`],
  network_credentials: [`${network}: reads GitHub with a token that nobody sees`],
  model_call: [
    `${network}: let model.call ask its provider with the operator's key`,
    `${network}: refuse model.call without a provider and without fixtures`,
  ],
  process_tools: [
    `${process}: takes what a command writes up to its budget, and not one byte more`,
    `${process}: runs an admitted command with its arguments as they are, and nothing of this process's environment`,
    `${process}: denies another command, a folder outside, a variable that was not named, each with its reason`,
    `${process}: ends a command that takes longer than a tool may, with all that it started`,
    "process/controlPlaneRunner.int.test.ts: cancels the task whose call is over, found again by its key",
    "process/workloadRunner.int.test.ts: cancels the child whose call is over, by the number of the call",
  ],
  process_tool_supervisor: [
    `${documents}: refuse by name the process tool that needs a supervisor, before anything runs`,
  ],
  worker_hosted: [
    "engine/ownProcess.int.test.ts: runs as any other, with every surface, in a process of its own",
  ],
  state: ["cli/projects.int.test.ts: counts turns and remembers nothing else"],
  reset: ["cli/projectCommands.int.test.ts: puts aside what runs left, says so beforehand, and puts it back"],
  resume: [
    `${jobs}: refuses the policy or the engine when it is another one, and the same again is taken`,
    `${jobs}: waits for a person when nobody knows what came of an effect, and tells the program what that one says`,
    `${jobs}: sleeps, goes on at the exact point, and repeats no event`,
    `${jobs}: finds at its index what a well-made forgery changed`,
  ],
  close_revocation: [`${hostile}: revokes every surface at close, for continuations too`],
  replay: [
    "audit/auditChain.test.ts: summarizes the same log to the same summary",
    `${commands}: refuses a log without its end, unless it is told to look at it`,
  ],
  operating_system_sandbox: [`${documents}: run the example, replay its log, and state the controls`],
};
