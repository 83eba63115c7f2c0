/**
 * The API as types. Generated from its OpenAPI document by `npx tsx test/support/clientTypes.ts`; never edited.
 */
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the API can serve, and what is missing */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of this process, in Prometheus' text format */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys that workload tokens are checked with */
        get: operations["get_jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a verifier needs to know of the issuer
         * @description OpenID Connect Discovery 1.0. Nobody logs in here: the tokens are those of containers.
         */
        get: operations["get_openid_configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every stable code, and what it means
         * @description As Markdown, JSON or HTML, by the header Accept.
         */
        get: operations["list_problems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a code means, and what to do
         * @description As Markdown, JSON or HTML, by the header Accept.
         */
        get: operations["get_problem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every schema that a stored event may have */
        get: operations["list_schemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The text of a schema
         * @description Avro, self-contained. The same for ever, so that a subscriber asks once.
         */
        get: operations["get_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The document of the public feed */
        get: operations["asyncapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks, newest first */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Submit a task
         * @description The body is a WorkloadSpec, JSON or YAML. Nothing is stored unless the answer is 202.
         */
        post: operations["submit_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a task's spec again, with the image that it ran */
        post: operations["replay_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task, now or when it is over */
        get: operations["get_task"];
        put?: never;
        post?: never;
        /**
         * Erase a task that is over
         * @description Its record, events, output and files go, everywhere, as after its ttl_seconds; who asked is kept with the tombstone. One that is not over is refused: cancel it first. Asked again, it is 410. The answer does not wait for all to be gone.
         */
        delete: operations["erase_task"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's history, oldest first */
        get: operations["list_task_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's attempts, oldest first */
        get: operations["list_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/bulk/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which tasks a bulk action would be done to
         * @description Changes nothing. The selection in the answer stands for exactly the tasks that match now.
         */
        post: operations["preview_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Do what a preview showed, some tasks a call
         * @description Call again with next_cursor until it is null. A call that failed or whose answer was lost may be sent again as it was: with the same Idempotency-Key no task is replayed twice, and a cancel may always be repeated.
         */
        post: operations["act_in_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description Asking again changes nothing. What runs is stopped by its node; the answer does not wait for it.
         */
        post: operations["cancel_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A task's output as lines
         * @description JSON pages; or server-sent events, with `follow=true` or `Accept: text/event-stream`: an event `log` for each entry, whose id is its position (resume with Last-Event-ID), and one event `end` with the task's outcome.
         */
        get: operations["get_task_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's standard output, parsed by its output_format */
        get: operations["get_task_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/output/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The very bytes of a task's output
         * @description Of one stream of one attempt. Cazi-Dropped says how many bytes beyond the cap were not kept.
         */
        get: operations["get_task_raw_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files that a task published, by name */
        get: operations["list_artifacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/artifacts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bytes of a file that a task published
         * @description An attachment, with the media type that was said of it. A part of it with `Range` (one range of bytes). The bytes are checked on the way: a damaged file breaks off.
         */
        get: operations["get_artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether two tasks ended alike and printed the same bytes
         * @description Of a replay, with the task that it replays unless another is named. Both have to be over.
         */
        get: operations["compare_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List nodes, by name
         * @description Those that run tasks of the caller's tenant; for admins of the installation all, with what was declared of them.
         */
        get: operations["list_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One node */
        get: operations["get_node"];
        /**
         * Declare what a standalone node may register
         * @description Replaces what was declared before. What the node offers beyond it counts for nothing.
         */
        put: operations["declare_node"];
        post?: never;
        /**
         * Remove a node
         * @description Whoever removes it revokes its NATS account as well, as `cazi node remove` does.
         */
        delete: operations["remove_node"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes/{name}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Cordon, drain or uncordon a node
         * @description What runs goes on to its end; a draining node is a cordoned one that somebody waits for.
         */
        put: operations["set_node_state"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the signing keys of workload tokens */
        get: operations["list_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have another key sign workload tokens
         * @description The new key is published at once and signs once verifiers had time to read it; the old one stays published until its last token has ended. Asking again while that is under way changes nothing.
         */
        post: operations["rotate_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a signing key that others may have
         * @description It is published no more and what it signed is refused, at once; another signs. Containers that run keep a token that is worth nothing. Revoking again changes nothing.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connections, by name */
        get: operations["list_connections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One connection, without its values */
        get: operations["get_connection"];
        /**
         * Store a connection
         * @description Replaces all of it. Tasks that are granted from now on have the new values.
         */
        put: operations["put_connection"];
        post?: never;
        /**
         * Remove a connection
         * @description Tasks that name it and have not started yet end with the reason connection_missing.
         */
        delete: operations["remove_connection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tenant's events as they come
         * @description Server-sent events: `start`; then `task` for each event, whose id is its place (resume with Last-Event-ID); `gap` where events that were asked for are not kept any more. A comment every 15 s.
         */
        get: operations["follow_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List outside subscribers, by name
         * @description Those that were added to the tenant; how far each is tells of one that nobody runs any more.
         */
        get: operations["list_subscribers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One outside subscriber */
        get: operations["get_subscriber"];
        /**
         * Add an outside subscriber, or give one another account
         * @description Makes the consumer that its account may read from. A new one begins with all that the feed has; another account goes on where the one before it was.
         */
        put: operations["put_subscriber"];
        post?: never;
        /**
         * Remove an outside subscriber
         * @description With its place in the feed. Whoever removes it revokes its NATS account as well, as `cazi subscriber remove` does.
         */
        delete: operations["remove_subscriber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters, the oldest first
         * @description Those of the caller's tenant; what belongs to no tenant is for an admin of the installation. A page may be short and have a next one.
         */
        get: operations["list_dead_letters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One dead letter, whole */
        get: operations["get_dead_letter"];
        put?: never;
        post?: never;
        /** Remove a dead letter for good */
        delete: operations["drop_dead_letter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a dead letter on its way again
         * @description A report goes back to where reports are read. A sink is tried again by its schedule, under the id that it always had; the task then shows it as delivered, and the letter is gone.
         */
        post: operations["resend_dead_letter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom the token speaks for, and what it may do */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants, by name
         * @description For admins of the installation: those of the tenant that CAZI_TENANT names.
         */
        get: operations["list_tenants"];
        put?: never;
        /**
         * Add a tenant
         * @description For admins of the installation: those of the tenant that CAZI_TENANT names.
         */
        post: operations["create_tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tenant */
        get: operations["get_tenant"];
        put?: never;
        post?: never;
        /**
         * Remove a tenant
         * @description Its tokens and sign-ins are worth nothing from now on, and its subscribers read nothing any more. Its tasks go on, and its record stays.
         */
        delete: operations["remove_tenant"];
        options?: never;
        head?: never;
        /**
         * Change a tenant's display name and limits
         * @description What is not named stays. A limit of null is the installation's default again.
         */
        patch: operations["change_tenant"];
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, by name */
        get: operations["list_users"];
        put?: never;
        /** Add a user */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One user */
        get: operations["get_user"];
        put?: never;
        post?: never;
        /**
         * Remove a user
         * @description The user's tokens and sign-ins are worth nothing from now on; the record stays.
         */
        delete: operations["remove_user"];
        options?: never;
        head?: never;
        /**
         * Change a user's role, display name or login
         * @description What is not named stays. A lower role is in force at once for all tokens of the user.
         */
        patch: operations["change_user"];
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tokens, newest first */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Make a token
         * @description The answer holds the token itself, this once: only its SHA-256 is stored.
         */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One token, without the token itself */
        get: operations["get_token"];
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description At once and for ever, on every server of the API. Revoking again changes nothing.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Where the task is; succeeded, failed, cancelled and blocked are terminal.
         * @enum {string}
         */
        TaskStatusInput: "pending" | "scheduled" | "claimed" | "running" | "succeeded" | "failed" | "cancelled" | "blocked";
        /**
         * WorkloadSpec
         * @description One container to run once: what, within which limits, where, and why.
         */
        WorkloadSpecInput: {
            /**
             * @description Image to run, [registry[:port]/]path[:tag][@sha256:…]. Exactly one of image, script and project.
             * @default null
             */
            image?: string | null;
            /** @description JavaScript to run in a compartment instead of an image; a text alone is its source. */
            script?: {
                /** @description The program: an ES module. */
                source: string;
                /**
                 * @description Modules that it may import, by exact name.
                 * @default {}
                 */
                modules?: {
                    [key: string]: string;
                };
                /**
                 * @description Texts that readFile and listFiles show.
                 * @default {}
                 */
                files?: {
                    [key: string]: string;
                };
                /**
                 * @description The JSON object `context`.
                 * @default {}
                 */
                context?: {
                    [key: string]: unknown;
                };
                /**
                 * @description Tools that it may call; none unless named.
                 * @default []
                 */
                tools?: string[];
                /** @description Image that each command of the tool process runs in, as a task. Unset: the node's own commands. */
                process_image?: string;
                /**
                 * @description Limits; what is left out has the compartment's default.
                 * @default {}
                 */
                budgets?: {
                    timeout_ms?: number;
                    tool_timeout_ms?: number;
                    max_events?: number;
                    max_event_bytes?: number;
                    max_tool_arg_bytes?: number;
                    max_tool_result_bytes?: number;
                    max_state_bytes?: number;
                    max_microtasks?: number;
                    max_steps?: number;
                    max_heap_mb?: number;
                    max_rss_mb?: number;
                };
                /**
                 * @description Tool, and the variable of a connection that holds its credential.
                 * @default {}
                 */
                credentials?: {
                    [key: string]: string;
                };
                /**
                 * @description Members of these names are redacted in the audit log.
                 * @default []
                 */
                redact_fields?: string[];
            } | null;
            /** @description A `cazi agent` project, to run in a compartment instead. */
            project?: {
                /** @description Path and text; one is agent-policy.json. */
                files: {
                    [key: string]: string;
                };
                /**
                 * @description Tools beside those of its policy.
                 * @default []
                 */
                tools?: string[];
                /**
                 * @description Limits in place of its policy's.
                 * @default {}
                 */
                budgets?: {
                    [key: string]: number;
                };
                /** @description In place of its policy's. */
                context?: {
                    [key: string]: unknown;
                };
                /** @description As in script. */
                process_image?: string;
            };
            /**
             * @description Argv, never a shell string. Takes the place of the image's CMD; its ENTRYPOINT stays. Empty: the image's own.
             * @default []
             */
            command?: string[];
            /**
             * @description Argv that takes the place of the image's ENTRYPOINT; null keeps it, an empty list removes it.
             * @default null
             */
            entrypoint?: string[] | null;
            /**
             * @description Environment variables, 64 KiB in all. They stay in the record: no secrets. Names beginning with CAZI_ are reserved.
             * @default {}
             */
            environment?: {
                [key: string]: string;
            };
            /**
             * @description Working directory in the container; null: the image's own.
             * @default null
             */
            workdir?: string | null;
            /**
             * @description User in the container, "name", "uid" or "uid:gid"; null: the image's own.
             * @default null
             */
            user?: string | null;
            /**
             * @description The standard output of the task before it as the read-only file /pipe/stdin. Only for a task that follows another one (a task sink), where it is true unless said otherwise.
             * @default false
             */
            stdin_from_prev?: boolean;
            /**
             * @description Longest run of one attempt, from the container's start, in seconds.
             * @default 3600
             */
            timeout_seconds?: number;
            /**
             * @description What the container may use.
             * @default {}
             */
            resources?: {
                /**
                 * @description CPUs the container may use; a fraction is allowed.
                 * @default 1
                 */
                cpus?: number;
                /**
                 * @description Memory, swap included: bytes, or text such as "512Mi" or "1g" (1024s). Bytes in the record.
                 * @default 512Mi
                 */
                memory?: string | number;
                /**
                 * @description Processes and threads the container may have.
                 * @default 256
                 */
                pids?: number;
                /**
                 * @description Size of /tmp when read_only is true: bytes, or text such as "64Mi". Bytes in the record.
                 * @default 64Mi
                 */
                tmpfs?: string | number;
            };
            /**
             * @description Further attempts after one that ran and failed, timed out or was lost with its node. One that never started is tried again anyway.
             * @default 0
             */
            max_retries?: number;
            /**
             * @description Among the tasks of the tenant a higher one goes to a node earlier. Waiting counts too: ten seconds weigh as much as one point.
             * @default 0
             */
            priority?: number;
            /**
             * @description Seconds after its end at which the task is erased: its record, events, output and files. Only a tombstone stays, so that its id and Idempotency-Key are never used again. null: kept for ever.
             * @default null
             */
            ttl_seconds?: number | null;
            /**
             * @description Fails with the reason start_deadline when its container has not started within this many seconds of the submit; null: waits.
             * @default null
             */
            start_within_seconds?: number | null;
            /**
             * @description Tasks of the tenant with the same key run at most concurrency_limit at a time.
             * @default null
             */
            concurrency_key?: string | null;
            /**
             * @description How many tasks with this concurrency_key may be on nodes at once, this one included; where tasks say different numbers, each goes by its own.
             * @default 1
             */
            concurrency_limit?: number;
            /**
             * @description Life of each file that the container publishes, in seconds from when it was stored; a week.
             * @default 604800
             */
            artifact_ttl_seconds?: number;
            /**
             * @description Bytes kept of stdout and of stderr, each; what comes after is counted and dropped.
             * @default 16777216
             */
            max_output_bytes?: number;
            /**
             * @description Which nodes may run it.
             * @default {}
             */
            selector?: {
                /**
                 * @description Run on this node and no other.
                 * @default null
                 */
                node?: string | null;
                /**
                 * @description Run on a node that has all these labels.
                 * @default {}
                 */
                labels?: {
                    [key: string]: string;
                };
            };
            /**
             * @description Tags that the node must have, all of them.
             * @default []
             */
            tags?: string[];
            /**
             * @description "bridge", "none", or a network that the node allows.
             * @default bridge
             */
            network?: string;
            /**
             * @description Host paths to mount; only what the node's allowlist permits.
             * @default []
             */
            mounts?: {
                /** @description Absolute path on the node's host; the node's own allowlist decides. */
                source: string;
                /** @description Absolute path in the container. */
                target: string;
                /**
                 * @description False lets the container write to the host's files.
                 * @default true
                 */
                read_only?: boolean;
            }[];
            /**
             * @description When to pull the image.
             * @default if_not_present
             * @enum {string}
             */
            pull_policy?: "always" | "if_not_present" | "never";
            /**
             * @description True makes the root filesystem read-only, with a writable /tmp of resources.tmpfs.
             * @default false
             */
            read_only?: boolean;
            /**
             * @description How stdout is parsed at the end; ndjson for a script.
             * @default text
             * @enum {string}
             */
            output_format?: "text" | "ndjson" | "json" | "markdown";
            /**
             * @description Where the output goes when the task has ended. What becomes of it changes nothing of the task.
             * @default []
             */
            output_sinks?: ({
                /** @constant */
                type: "webhook";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name?: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("succeeded" | "failed" | "cancelled")[];
                /** @description Where the summary is posted to, over https. */
                url: string;
                /**
                 * @description Connection that holds the signing secrets (whsec_…); null: not signed.
                 * @default null
                 */
                connection?: string | null;
                /**
                 * @description Whether a small standard output is in the body; its digest and where it is are always.
                 * @default true
                 */
                include_output?: boolean;
            } | {
                /** @constant */
                type: "s3";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name?: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("succeeded" | "failed" | "cancelled")[];
                /**
                 * @description Address of the S3 server; null: Amazon's of the region. The bucket is the first part of the path.
                 * @default null
                 */
                endpoint?: string | null;
                /** @default us-east-1 */
                region?: string;
                bucket: string;
                /**
                 * @description Key of the object; may hold {tenant}, {task}, {status}, {attempt}, {date}, {sink}, {content}.
                 * @default {tenant}/{task}/{sink}.{content}
                 */
                key?: string;
                /** @description Connection that holds the access keys. */
                connection: string;
                /**
                 * @description The very bytes of a stream of the last attempt, or the summary that a webhook gets, as JSON.
                 * @default stdout
                 * @enum {string}
                 */
                content?: "stdout" | "stderr" | "summary";
            } | {
                /** @constant */
                type: "file";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name?: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("succeeded" | "failed" | "cancelled")[];
                /**
                 * @description Name in the folder <CAZI_SINK_FILES>/<tenant>/<task>; placeholders as in the key of an s3 sink.
                 * @default {sink}.{content}
                 */
                file_name?: string;
                /**
                 * @description The very bytes of a stream of the last attempt, or the summary that a webhook gets, as JSON.
                 * @default stdout
                 * @enum {string}
                 */
                content?: "stdout" | "stderr" | "summary";
            } | {
                /** @constant */
                type: "task";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name?: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("succeeded" | "failed" | "cancelled")[];
                /** @description WorkloadSpec of the task to submit, once; its container has the standard output as /pipe/stdin. */
                spec?: {
                    [key: string]: unknown;
                };
                /** @description Instead of spec: a WorkloadSpec in which each whole word TARGET stands for target. */
                template?: {
                    [key: string]: unknown;
                };
                /** @description What TARGET in the template becomes. */
                target?: string;
            })[];
            /**
             * @description Short name for people, shown in lists; it need not be unique.
             * @default null
             */
            name?: string | null;
            /**
             * @description Names and values to find the task by.
             * @default {}
             */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Why this task exists, for whoever reads the record.
             * @default null
             */
            rationale?: string | null;
            /**
             * @description Names of stored connections: secrets for the container and its pull.
             * @default []
             */
            connections?: string[];
        };
        Attempt: {
            /** @description 1 is the first. */
            attempt: number;
            /** @description Tells the attempt from any other, also after a repair of the ledger. */
            fence: string;
            node: string | null;
            /** @description The event that ended it; null while it is under way. returned: the node did not take it; retrying: another one follows. */
            ended_by: ("returned" | "retrying" | "succeeded" | "failed" | "cancelled") | null;
            /** @description Why: exit, signal, oom, timeout, image_pull, node_lost, declined, offer_expired and so on. */
            reason: string | null;
            /** @description The reason in more words, where there are any. */
            message: string | null;
            /** @description Whether it counted against max_retries; what never started does not. */
            uses_retry: boolean;
            /** @description The attempt after it is not to start before this. */
            not_before: string | null;
            /** @description When it was given to the node. */
            scheduled_at: string | null;
            /** @description When the node was told that it may start. */
            claimed_at: string | null;
            /** @description When its command started, by the node's clock. */
            started_at: string | null;
            finished_at: string | null;
            exit_code: number | null;
            /** @description Number of the signal that ended it. */
            signal: number | null;
            oom_killed: boolean;
            /** @description What it ran; null where nothing ran. */
            image: components["schemas"]["Image"] | null;
            /** @description What it printed, known when it has ended. */
            logs: {
                stdout: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
                stderr: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
            } | null;
            /** @description Null where nothing was pulled for it. */
            pull: {
                ref: string;
                /** @description The try that is under way, or was the last; 1 is the first. */
                tries: number;
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                started_at: string;
                layers_done: number;
                /** @description Known so far. */
                layers_total: number;
                bytes_done: number;
                /** @description Of the layers whose size is known so far. */
                bytes_total: number;
                /** @description Why the last try that failed did. */
                last_error: string | null;
                /** @description While the node waits: when it tries again. */
                retry_at: string | null;
                /** @description When the image was there. */
                finished_at: string | null;
            } | null;
        };
        AttemptPage: {
            data: components["schemas"]["Attempt"][];
            /** @description Ask with it for the next page; null on the last one. */
            next_cursor: string | null;
        };
        BulkPage: {
            /**
             * @description cancel: tasks that are not over; replay: those that are, each as a new task.
             * @enum {string}
             */
            action: "cancel" | "replay";
            /** @description One a task, newest first. */
            results: {
                id: string;
                /**
                 * @description cancelled: over at once; cancel_requested: its node stops it; already_over: it ended before; replayed: a new task; repeated: an earlier call with this key made that task; failed: code says why.
                 * @enum {string}
                 */
                outcome: "cancelled" | "cancel_requested" | "already_over" | "replayed" | "repeated" | "failed";
                /** @description Id of the new task of a replay. */
                replay: string | null;
                code: string | null;
                message: string | null;
            }[];
            /** @description Ask with it to go on; null when all is done. */
            next_cursor: string | null;
        };
        BulkPreview: {
            /**
             * @description cancel: tasks that are not over; replay: those that are, each as a new task.
             * @enum {string}
             */
            action: "cancel" | "replay";
            /** @description How many tasks it would be done to. */
            count: number;
            /** @description The newest 10 of them. */
            tasks: components["schemas"]["TaskSummary"][];
            /** @description Stands for exactly these tasks: what comes later or changes is not added. Say it to act. */
            selection: string;
        };
        Comparison: {
            task: string;
            with: string;
            /** @description Outcome, standard output and standard error are the same. */
            same: boolean;
            /** @description Both have the same spec, by digest. */
            same_spec: boolean;
            /** @description Both ran the same image, by digest or id. */
            same_image: boolean;
            outcome: {
                same: boolean;
                task: {
                    status: components["schemas"]["TaskStatus"];
                    exit_code: number | null;
                    signal: number | null;
                    reason: string | null;
                };
                with: {
                    status: components["schemas"]["TaskStatus"];
                    exit_code: number | null;
                    signal: number | null;
                    reason: string | null;
                };
            };
            stdout: components["schemas"]["StreamComparison"];
            stderr: components["schemas"]["StreamComparison"];
        };
        /** @description A stored connection: what it is for, without its values. */
        Connection: {
            /** @description The connection's name. */
            name: string;
            /**
             * @description registry: only credentials for pulls; secrets: variables or files of the container.
             * @enum {string}
             */
            kind: "secrets" | "registry";
            /** @description Grows with each change. */
            version: number;
            /** @description Names of the variables that it sets. */
            environment: string[];
            /** @description Paths of its files. */
            files: string[];
            registry: {
                host: string;
                username: string;
            } | null;
            description: string | null;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            created_at: string;
            created_by: string;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            updated_at: string;
            updated_by: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            /** @description What is missing; empty when ok. */
            reasons: {
                code: string;
                message: string;
            }[];
        };
        /** @description The image that really runs; an imported one has no repository digest. */
        Image: {
            ref: string;
            repo_digest: string | null;
            image_id: string | null;
        };
        LogEntry: {
            /** @description Where reading goes on after this entry: attempt.stdoutOffset.stderrOffset. */
            position: string;
            attempt: number;
            /** @enum {string} */
            stream: "stdout" | "stderr";
            /**
             * Format: date-time
             * @description When the node read the line's first bytes.
             */
            time: string;
            /**
             * @description truncated: what came after was beyond the cap and was not kept; gap: bytes are missing here.
             * @enum {string}
             */
            type: "line" | "truncated" | "gap";
            /** @description The line without its newline; bytes that are not UTF-8 read as U+FFFD. */
            text: string;
            /** @description The line's very bytes, only where they are not UTF-8. */
            base64?: string;
            /**
             * @description newline: a newline followed; cut: the line goes on in this stream's next entry; end: output ended here.
             * @enum {string}
             */
            ending: "newline" | "cut" | "end";
            /** @description Bytes that are not there; 0 in a line. */
            dropped_bytes: number;
        };
        LogPage: {
            data: components["schemas"]["LogEntry"][];
            /** @description Ask with it for the next page; null on the last one. */
            next_cursor: string | null;
            /** @description True when as much output was looked through as one request may (32 MiB) before the page was full, so that it may even be empty: go on with next_cursor. With tail: older lines were not looked through. */
            partial: boolean;
        };
        Node: {
            name: string;
            /**
             * @description online: it gave a sign of life lately.
             * @enum {string}
             */
            status: "online" | "offline";
            /**
             * @description What operators want: cordoned and draining take no new attempt; what runs goes on.
             * @enum {string}
             */
            state: "active" | "cordoned" | "draining";
            /** @description docker; compartment: scripts alone; noop: it runs nothing and says that it succeeded; unknown before it first registers. */
            runtime: string;
            labels: {
                [key: string]: string;
            };
            tags: string[];
            /** @description Attempts it runs at once. */
            slots: number;
            /** @description Attempts it runs now, as it last said. */
            running: number;
            cpus: number;
            memory_bytes: number;
            /** @description What the tasks on it may declare together: CPUs may be overcommitted, memory not. */
            offered: {
                cpus: number;
                memory_bytes: number;
            };
            /** @description What the tasks on it declare together now. */
            declared: {
                cpus: number;
                memory_bytes: number;
            };
            /** @description Host paths that tasks on it may mount. */
            mounts: string[];
            networks: string[];
            engine: string | null;
            /** @description Tools that it offers to scripts; null: it runs no scripts. */
            script_tools: string[] | null;
            /** @description Why it starts no containers now; null when it does. Scripts need no engine. */
            unavailable: string | null;
            /** @description Whose tasks may run there; null for everybody's. Beside their own, only admins of the installation see others. */
            tenants: string[] | null;
            /** @description What it offers beyond its declaration, and what therefore counts for nothing; one sentence each. */
            clipped: string[];
            /** @description What was declared for it, for admins of the installation; null for a node in the services' account. */
            bounds: {
                labels: {
                    [key: string]: string;
                };
                tags: string[];
                /** @description Whose tasks may run there; null for everybody's. */
                tenants: string[] | null;
                slots: number;
                networks: string[];
                /** @description Host paths below which it may offer mounts. */
                mounts: string[];
            } | null;
            /** @description Public key of its NATS account, for admins of the installation; null where it has none of its own. */
            account: string | null;
            /** @description Null before it first registers. */
            registered_at: string | null;
            /** @description Its last sign of life; null when that is too long ago to be kept. */
            last_seen_at: string | null;
        };
        NodePage: {
            data: components["schemas"]["Node"][];
            /** @description Ask with it for the next page; null on the last one. */
            next_cursor: string | null;
        };
        Problem: {
            /** @description URI of the kind of problem; it ends in the code. */
            type: string;
            title: string;
            status: number;
            /** @description What is wrong, in one sentence. */
            detail: string;
            /** @description Stable name of the problem, for programs. */
            code: string;
            /** @description What to do next. */
            hint?: string;
            /** @description Each thing wrong, with a JSON Pointer into the input. */
            errors?: {
                pointer: string;
                message: string;
            }[];
            /** @description Finds this request in the server's log. */
            correlation_id: string;
        } & {
            [key: string]: unknown;
        };
        ProblemPage: {
            code: string;
            title: string;
            /** @description Of an answer with this code; null where the API has none. */
            status: number | null;
            /** @description What has happened. */
            means: string;
            /** @description What to do next. */
            todo: string;
            /** @description Address of the page, and `type` of the problem documents. */
            type: string;
        };
        /** @description A key that workload tokens are signed with. */
        SigningKey: {
            /** @description Key id: the thumbprint of the public half (RFC 7638). */
            kid: string;
            /**
             * @description next: published, signs later. active: signs. retiring: published until its last token has ended. retired: not published. revoked: not published, and what it signed is refused.
             * @enum {string}
             */
            state: "next" | "active" | "retiring" | "retired" | "revoked";
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it signs, or began to.
             */
            signs_from: string;
            /** @description When this state ends; null where nothing is planned. */
            until: string | null;
            revoked_at: string | null;
            /** @description The actor. */
            revoked_by: string | null;
        };
        StreamComparison: {
            /** @description The bytes that were kept are the same, and as many were not kept. */
            same: boolean;
            /** @description Bytes kept of each. */
            bytes: {
                task: number;
                with: number;
            };
            /** @description Bytes of each that were not kept. */
            dropped_bytes: {
                task: number;
                with: number;
            };
            /** @description Null where the bytes that were kept are the same. */
            first_difference: {
                /** @description Of the first byte that differs, from 0. */
                offset: number;
                /** @description Its line, from 1. */
                line: number;
                /** @description Of the excerpts' first byte. */
                excerpt_offset: number;
                task: {
                    /** @description As text; null where the bytes are not UTF-8 text. */
                    text: string | null;
                    /** @description The bytes themselves, two digits each. */
                    hex: string;
                    /** @description True when the output ends with it. */
                    ended: boolean;
                };
                with: {
                    /** @description As text; null where the bytes are not UTF-8 text. */
                    text: string | null;
                    /** @description The bytes themselves, two digits each. */
                    hex: string;
                    /** @description True when the output ends with it. */
                    ended: boolean;
                };
            } | null;
        };
        SubmittedTask: {
            id: string;
            tenant: string;
            status: components["schemas"]["TaskStatus"];
            /** @description The spec's name. */
            name: string | null;
            /** @description The spec's labels. */
            labels: {
                [key: string]: string;
            };
            /** @description "submit", "replay:<id>" for a replay of that task, "process:<id>" for a command of that script. */
            source: string;
            who: components["schemas"]["Who"];
            /** @description Number of the last attempt; 0 before the first. */
            attempt: number;
            node: string | null;
            image: components["schemas"]["Image"] | null;
            exit_code: number | null;
            /** @description Number of the signal that ended it. */
            signal: number | null;
            oom_killed: boolean;
            /** @description Why the task, or its last attempt, ended: exit, signal, oom, timeout, node_lost and so on. */
            reason: string | null;
            /** @description The reason in more words, where there are any. */
            message: string | null;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            submitted_at: string;
            started_at: string | null;
            finished_at: string | null;
            /** @description The declared intent, with every default filled in. */
            spec: components["schemas"]["WorkloadSpec"];
            /** @description SHA-256 of the spec's canonical JSON (RFC 8785). */
            spec_digest: string;
            /** @description While the task is pending: why no node runs it yet. */
            pending_reason: {
                /** @description One sentence for people. */
                message: string;
                /** @description Nodes that the tenant may use and why each does not take it, those first that come nearest; at most 20. */
                nodes: {
                    node: string;
                    /**
                     * @description The first rule that it does not meet.
                     * @enum {string}
                     */
                    rule: "tenant" | "node" | "labels" | "tags" | "network" | "mounts" | "script" | "unavailable" | "resources" | "offline" | "held" | "slots" | "cpus" | "memory";
                    message: string;
                }[];
                /** @description Further nodes that do not take it either. */
                more_nodes: number;
                /** @description Tasks of the tenant that go before it; null where that is not known yet. */
                ahead: number | null;
            } | null;
            retries_used: number;
            /** @description The next attempt does not start before this. */
            not_before: string | null;
            /** @description Who asked to cancel it, and when. */
            cancel: {
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                at: string;
                who: components["schemas"]["Who"];
                reason: string | null;
            } | null;
            /** @description What the last attempt printed. */
            logs: {
                stdout: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
                stderr: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
            } | null;
            /** @description Null where nothing was pulled: the image was on the node. */
            pull: {
                ref: string;
                /** @description The try that is under way, or was the last; 1 is the first. */
                tries: number;
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                started_at: string;
                layers_done: number;
                /** @description Known so far. */
                layers_total: number;
                bytes_done: number;
                /** @description Of the layers whose size is known so far. */
                bytes_total: number;
                /** @description Why the last try that failed did. */
                last_error: string | null;
                /** @description While the node waits: when it tries again. */
                retry_at: string | null;
                /** @description When the image was there. */
                finished_at: string | null;
            } | null;
            /** @description W3C trace context of the submit: its trace is the one of every event and of the container. */
            traceparent: string | null;
            /** @description What becomes of its output sinks, in the order of the spec. */
            sinks: {
                /** @description Its name, or its place and type. */
                id: string;
                /** @enum {string} */
                type: "webhook" | "s3" | "file" | "task";
                /**
                 * @description skipped: it is not for this end of the task.
                 * @enum {string}
                 */
                status: "waiting" | "delivered" | "failed" | "skipped";
                /** @description How often it was tried, where it has failed. */
                tries: number | null;
                /** @description Why it failed. `cazi dead` lists it, and sends it again. */
                message: string | null;
                /** @description What tells that it is there: the answer, the object, the file, or the task's id. */
                receipt: string | null;
                settled_at: string | null;
            }[];
            /** @description Files that its container published and that are hosted, by name. */
            artifacts: {
                /** @description A relative path, unique within the task. */
                name: string;
                /** @description Which attempt published it; a later attempt's file takes the place of an earlier one's. */
                attempt: number;
                bytes: number;
                /** @description Of its bytes, hex; also its ETag. */
                sha256: string;
                /** @description As its sender said it, or by its name. Nobody has looked into the file. */
                media_type: string;
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                stored_at: string;
                /**
                 * Format: date-time
                 * @description It is gone then: artifact_ttl_seconds after it was stored.
                 */
                expires_at: string;
            }[];
            /** @description The last 10 attempts, oldest first; list_attempts has those before. */
            attempts: components["schemas"]["Attempt"][];
            warnings: {
                code: string;
                pointer: string;
                message: string;
            }[];
        };
        /** @description An outside subscriber of a tenant's feed on NATS. */
        Subscriber: {
            tenant: string;
            name: string;
            /** @description The feed's stream. */
            stream: string;
            /** @description What it fetches from; its filter is the tenant's feed. */
            consumer: string;
            /** @description Public key of its NATS account. */
            account: string;
            /**
             * @description ended: its tenant was removed, and it reads nothing any more.
             * @enum {string}
             */
            state: "active" | "ended";
            /** @description Events that it has not been given yet; null where it has no consumer. */
            waiting: number | null;
            /** @description Events that it was given and has not acknowledged; null where it has no consumer. */
            unacknowledged: number | null;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            created_at: string;
            created_by: string;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            changed_at: string;
            changed_by: string;
        };
        Task: {
            id: string;
            tenant: string;
            status: components["schemas"]["TaskStatus"];
            /** @description The spec's name. */
            name: string | null;
            /** @description The spec's labels. */
            labels: {
                [key: string]: string;
            };
            /** @description "submit", "replay:<id>" for a replay of that task, "process:<id>" for a command of that script. */
            source: string;
            who: components["schemas"]["Who"];
            /** @description Number of the last attempt; 0 before the first. */
            attempt: number;
            node: string | null;
            image: components["schemas"]["Image"] | null;
            exit_code: number | null;
            /** @description Number of the signal that ended it. */
            signal: number | null;
            oom_killed: boolean;
            /** @description Why the task, or its last attempt, ended: exit, signal, oom, timeout, node_lost and so on. */
            reason: string | null;
            /** @description The reason in more words, where there are any. */
            message: string | null;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            submitted_at: string;
            started_at: string | null;
            finished_at: string | null;
            /** @description The declared intent, with every default filled in. */
            spec: components["schemas"]["WorkloadSpec"];
            /** @description SHA-256 of the spec's canonical JSON (RFC 8785). */
            spec_digest: string;
            /** @description While the task is pending: why no node runs it yet. */
            pending_reason: {
                /** @description One sentence for people. */
                message: string;
                /** @description Nodes that the tenant may use and why each does not take it, those first that come nearest; at most 20. */
                nodes: {
                    node: string;
                    /**
                     * @description The first rule that it does not meet.
                     * @enum {string}
                     */
                    rule: "tenant" | "node" | "labels" | "tags" | "network" | "mounts" | "script" | "unavailable" | "resources" | "offline" | "held" | "slots" | "cpus" | "memory";
                    message: string;
                }[];
                /** @description Further nodes that do not take it either. */
                more_nodes: number;
                /** @description Tasks of the tenant that go before it; null where that is not known yet. */
                ahead: number | null;
            } | null;
            retries_used: number;
            /** @description The next attempt does not start before this. */
            not_before: string | null;
            /** @description Who asked to cancel it, and when. */
            cancel: {
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                at: string;
                who: components["schemas"]["Who"];
                reason: string | null;
            } | null;
            /** @description What the last attempt printed. */
            logs: {
                stdout: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
                stderr: {
                    /** @description Bytes kept. */
                    stored: number;
                    /** @description Bytes produced and not kept: beyond the cap, or there was no room. */
                    dropped: number;
                };
            } | null;
            /** @description Null where nothing was pulled: the image was on the node. */
            pull: {
                ref: string;
                /** @description The try that is under way, or was the last; 1 is the first. */
                tries: number;
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                started_at: string;
                layers_done: number;
                /** @description Known so far. */
                layers_total: number;
                bytes_done: number;
                /** @description Of the layers whose size is known so far. */
                bytes_total: number;
                /** @description Why the last try that failed did. */
                last_error: string | null;
                /** @description While the node waits: when it tries again. */
                retry_at: string | null;
                /** @description When the image was there. */
                finished_at: string | null;
            } | null;
            /** @description W3C trace context of the submit: its trace is the one of every event and of the container. */
            traceparent: string | null;
            /** @description What becomes of its output sinks, in the order of the spec. */
            sinks: {
                /** @description Its name, or its place and type. */
                id: string;
                /** @enum {string} */
                type: "webhook" | "s3" | "file" | "task";
                /**
                 * @description skipped: it is not for this end of the task.
                 * @enum {string}
                 */
                status: "waiting" | "delivered" | "failed" | "skipped";
                /** @description How often it was tried, where it has failed. */
                tries: number | null;
                /** @description Why it failed. `cazi dead` lists it, and sends it again. */
                message: string | null;
                /** @description What tells that it is there: the answer, the object, the file, or the task's id. */
                receipt: string | null;
                settled_at: string | null;
            }[];
            /** @description Files that its container published and that are hosted, by name. */
            artifacts: {
                /** @description A relative path, unique within the task. */
                name: string;
                /** @description Which attempt published it; a later attempt's file takes the place of an earlier one's. */
                attempt: number;
                bytes: number;
                /** @description Of its bytes, hex; also its ETag. */
                sha256: string;
                /** @description As its sender said it, or by its name. Nobody has looked into the file. */
                media_type: string;
                /**
                 * Format: date-time
                 * @description Time, RFC 3339 in UTC with milliseconds.
                 */
                stored_at: string;
                /**
                 * Format: date-time
                 * @description It is gone then: artifact_ttl_seconds after it was stored.
                 */
                expires_at: string;
            }[];
            /** @description The last 10 attempts, oldest first; list_attempts has those before. */
            attempts: components["schemas"]["Attempt"][];
        };
        TaskEvent: {
            id: string;
            /** @description Place in the ledger: grows along the history, with gaps. */
            seq: number;
            task: string;
            /**
             * Format: date-time
             * @description When it was written, by the writer's clock.
             */
            at: string;
            /** @description The transition: submitted, scheduled, claimed, pulling, running, succeeded and so on. */
            type: string;
            /** @description The task's status after it. */
            status: components["schemas"]["TaskStatus"] | "erased";
            /** @description The attempt it belongs to or follows. */
            attempt: number | null;
            node: string | null;
            /** @description W3C trace context; every event of a task is of the same trace. */
            traceparent: string | null;
            /** @description Who decided it: whoever asked; else `service:<role>` or `node:<name>` by the route `internal`. Null for some events of earlier versions. */
            who: components["schemas"]["Who"] | null;
            /** @description What the transition says beside this. Times in it are milliseconds since 1970, as in the ledger. */
            data: {
                [key: string]: unknown;
            };
        };
        TaskEventPage: {
            data: components["schemas"]["TaskEvent"][];
            /** @description Ask with it for the next page; null on the last one. */
            next_cursor: string | null;
        };
        TaskOutput: {
            task: string;
            status: components["schemas"]["TaskStatus"];
            attempt: number;
            exit_code: number | null;
            /**
             * @description The spec's output_format.
             * @enum {string}
             */
            format: "text" | "ndjson" | "json" | "markdown";
            /** @description text, markdown: the text; json: the value; ndjson: a list of values; null where it cannot be parsed. */
            value: unknown;
            /** @description Why value is null, or which line of ndjson ended the list. */
            parse_error: {
                message: string;
                line: number | null;
            } | null;
            /** @description The beginning of the output as text, where it could not be parsed. */
            text: string | null;
            /** @description Bytes of standard output that were kept. */
            bytes: number;
            /** @description Bytes beyond the spec's max_output_bytes. */
            dropped_bytes: number;
            /** @description True when value is not made from all that was printed: beyond a cap. */
            truncated: boolean;
            /** @description True when the task is over and all its output was read. */
            complete: boolean;
        };
        TaskPage: {
            data: components["schemas"]["TaskSummary"][];
            /** @description Ask with it for the next page; null on the last one. */
            next_cursor: string | null;
        };
        /**
         * @description Where the task is; succeeded, failed, cancelled and blocked are terminal.
         * @enum {string}
         */
        TaskStatus: "pending" | "scheduled" | "claimed" | "running" | "succeeded" | "failed" | "cancelled" | "blocked";
        TaskSummary: {
            id: string;
            tenant: string;
            status: components["schemas"]["TaskStatus"];
            /** @description The spec's name. */
            name: string | null;
            /** @description The spec's labels. */
            labels: {
                [key: string]: string;
            };
            /** @description "submit", "replay:<id>" for a replay of that task, "process:<id>" for a command of that script. */
            source: string;
            who: components["schemas"]["Who"];
            /** @description Number of the last attempt; 0 before the first. */
            attempt: number;
            node: string | null;
            image: components["schemas"]["Image"] | null;
            exit_code: number | null;
            /** @description Number of the signal that ended it. */
            signal: number | null;
            oom_killed: boolean;
            /** @description Why the task, or its last attempt, ended: exit, signal, oom, timeout, node_lost and so on. */
            reason: string | null;
            /** @description The reason in more words, where there are any. */
            message: string | null;
            /**
             * Format: date-time
             * @description Time, RFC 3339 in UTC with milliseconds.
             */
            submitted_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        Who: {
            /** @description Who acted, such as "user:admin". */
            actor: string;
            /** @description The person who answers for it when an agent or a schedule acted; null when the actor does. */
            accountable: string | null;
            /** @description The door it came through: rest, mcp or cli; script for a command of a script; sink for a task that follows another; internal for what Cazi and its nodes do by themselves. */
            route: string;
        };
        /**
         * WorkloadSpec
         * @description One container to run once: what, within which limits, where, and why.
         */
        WorkloadSpec: {
            /**
             * @description Image to run, [registry[:port]/]path[:tag][@sha256:…]. Exactly one of image, script and project.
             * @default null
             */
            image: string | null;
            /**
             * @description JavaScript to run in a compartment instead of an image; a text alone is its source.
             * @default null
             */
            script: {
                /** @description The program: an ES module. */
                source: string;
                /**
                 * @description Modules that it may import, by exact name.
                 * @default {}
                 */
                modules: {
                    [key: string]: string;
                };
                /**
                 * @description Texts that readFile and listFiles show.
                 * @default {}
                 */
                files: {
                    [key: string]: string;
                };
                /**
                 * @description The JSON object `context`.
                 * @default {}
                 */
                context: {
                    [key: string]: unknown;
                };
                /**
                 * @description Tools that it may call; none unless named.
                 * @default []
                 */
                tools: string[];
                /** @description Image that each command of the tool process runs in, as a task. Unset: the node's own commands. */
                process_image?: string;
                /** @description Limits; what is left out has the compartment's default. */
                budgets: {
                    timeout_ms?: number;
                    tool_timeout_ms?: number;
                    max_events?: number;
                    max_event_bytes?: number;
                    max_tool_arg_bytes?: number;
                    max_tool_result_bytes?: number;
                    max_state_bytes?: number;
                    max_microtasks?: number;
                    max_steps?: number;
                    max_heap_mb?: number;
                    max_rss_mb?: number;
                };
                /**
                 * @description Tool, and the variable of a connection that holds its credential.
                 * @default {}
                 */
                credentials: {
                    [key: string]: string;
                };
                /**
                 * @description Members of these names are redacted in the audit log.
                 * @default []
                 */
                redact_fields: string[];
            } | null;
            /** @description A `cazi agent` project, to run in a compartment instead. */
            project?: {
                /** @description Path and text; one is agent-policy.json. */
                files: {
                    [key: string]: string;
                };
                /**
                 * @description Tools beside those of its policy.
                 * @default []
                 */
                tools: string[];
                /**
                 * @description Limits in place of its policy's.
                 * @default {}
                 */
                budgets: {
                    [key: string]: number;
                };
                /** @description In place of its policy's. */
                context?: {
                    [key: string]: unknown;
                };
                /** @description As in script. */
                process_image?: string;
            };
            /**
             * @description Argv, never a shell string. Takes the place of the image's CMD; its ENTRYPOINT stays. Empty: the image's own.
             * @default []
             */
            command: string[];
            /**
             * @description Argv that takes the place of the image's ENTRYPOINT; null keeps it, an empty list removes it.
             * @default null
             */
            entrypoint: string[] | null;
            /**
             * @description Environment variables, 64 KiB in all. They stay in the record: no secrets. Names beginning with CAZI_ are reserved.
             * @default {}
             */
            environment: {
                [key: string]: string;
            };
            /**
             * @description Working directory in the container; null: the image's own.
             * @default null
             */
            workdir: string | null;
            /**
             * @description User in the container, "name", "uid" or "uid:gid"; null: the image's own.
             * @default null
             */
            user: string | null;
            /**
             * @description The standard output of the task before it as the read-only file /pipe/stdin. Only for a task that follows another one (a task sink), where it is true unless said otherwise.
             * @default false
             */
            stdin_from_prev: boolean;
            /**
             * @description Longest run of one attempt, from the container's start, in seconds.
             * @default 3600
             */
            timeout_seconds: number;
            /** @description What the container may use. */
            resources: {
                /**
                 * @description CPUs the container may use; a fraction is allowed.
                 * @default 1
                 */
                cpus: number;
                /** @description Memory, swap included: bytes, or text such as "512Mi" or "1g" (1024s). Bytes in the record. */
                memory: number;
                /**
                 * @description Processes and threads the container may have.
                 * @default 256
                 */
                pids: number;
                /** @description Size of /tmp when read_only is true: bytes, or text such as "64Mi". Bytes in the record. */
                tmpfs: number;
            };
            /**
             * @description Further attempts after one that ran and failed, timed out or was lost with its node. One that never started is tried again anyway.
             * @default 0
             */
            max_retries: number;
            /**
             * @description Among the tasks of the tenant a higher one goes to a node earlier. Waiting counts too: ten seconds weigh as much as one point.
             * @default 0
             */
            priority: number;
            /**
             * @description Seconds after its end at which the task is erased: its record, events, output and files. Only a tombstone stays, so that its id and Idempotency-Key are never used again. null: kept for ever.
             * @default null
             */
            ttl_seconds: number | null;
            /**
             * @description Fails with the reason start_deadline when its container has not started within this many seconds of the submit; null: waits.
             * @default null
             */
            start_within_seconds: number | null;
            /**
             * @description Tasks of the tenant with the same key run at most concurrency_limit at a time.
             * @default null
             */
            concurrency_key: string | null;
            /**
             * @description How many tasks with this concurrency_key may be on nodes at once, this one included; where tasks say different numbers, each goes by its own.
             * @default 1
             */
            concurrency_limit: number;
            /**
             * @description Life of each file that the container publishes, in seconds from when it was stored; a week.
             * @default 604800
             */
            artifact_ttl_seconds: number;
            /**
             * @description Bytes kept of stdout and of stderr, each; what comes after is counted and dropped.
             * @default 16777216
             */
            max_output_bytes: number;
            /** @description Which nodes may run it. */
            selector: {
                /**
                 * @description Run on this node and no other.
                 * @default null
                 */
                node: string | null;
                /**
                 * @description Run on a node that has all these labels.
                 * @default {}
                 */
                labels: {
                    [key: string]: string;
                };
            };
            /**
             * @description Tags that the node must have, all of them.
             * @default []
             */
            tags: string[];
            /**
             * @description "bridge", "none", or a network that the node allows.
             * @default bridge
             */
            network: string;
            /**
             * @description Host paths to mount; only what the node's allowlist permits.
             * @default []
             */
            mounts: {
                /** @description Absolute path on the node's host; the node's own allowlist decides. */
                source: string;
                /** @description Absolute path in the container. */
                target: string;
                /**
                 * @description False lets the container write to the host's files.
                 * @default true
                 */
                read_only: boolean;
            }[];
            /**
             * @description When to pull the image.
             * @default if_not_present
             * @enum {string}
             */
            pull_policy: "always" | "if_not_present" | "never";
            /**
             * @description True makes the root filesystem read-only, with a writable /tmp of resources.tmpfs.
             * @default false
             */
            read_only: boolean;
            /**
             * @description How stdout is parsed at the end; ndjson for a script.
             * @default text
             * @enum {string}
             */
            output_format: "text" | "ndjson" | "json" | "markdown";
            /**
             * @description Where the output goes when the task has ended. What becomes of it changes nothing of the task.
             * @default []
             */
            output_sinks: ({
                /** @constant */
                type: "webhook";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on: ("succeeded" | "failed" | "cancelled")[];
                /** @description Where the summary is posted to, over https. */
                url: string;
                /**
                 * @description Connection that holds the signing secrets (whsec_…); null: not signed.
                 * @default null
                 */
                connection: string | null;
                /**
                 * @description Whether a small standard output is in the body; its digest and where it is are always.
                 * @default true
                 */
                include_output: boolean;
            } | {
                /** @constant */
                type: "s3";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on: ("succeeded" | "failed" | "cancelled")[];
                /**
                 * @description Address of the S3 server; null: Amazon's of the region. The bucket is the first part of the path.
                 * @default null
                 */
                endpoint: string | null;
                /** @default us-east-1 */
                region: string;
                bucket: string;
                /**
                 * @description Key of the object; may hold {tenant}, {task}, {status}, {attempt}, {date}, {sink}, {content}.
                 * @default {tenant}/{task}/{sink}.{content}
                 */
                key: string;
                /** @description Connection that holds the access keys. */
                connection: string;
                /**
                 * @description The very bytes of a stream of the last attempt, or the summary that a webhook gets, as JSON.
                 * @default stdout
                 * @enum {string}
                 */
                content: "stdout" | "stderr" | "summary";
            } | {
                /** @constant */
                type: "file";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on: ("succeeded" | "failed" | "cancelled")[];
                /**
                 * @description Name in the folder <CAZI_SINK_FILES>/<tenant>/<task>; placeholders as in the key of an s3 sink.
                 * @default {sink}.{content}
                 */
                file_name: string;
                /**
                 * @description The very bytes of a stream of the last attempt, or the summary that a webhook gets, as JSON.
                 * @default stdout
                 * @enum {string}
                 */
                content: "stdout" | "stderr" | "summary";
            } | {
                /** @constant */
                type: "task";
                /**
                 * @description What its results are told by; null: its place and type, such as 0-webhook.
                 * @default null
                 */
                name: string | null;
                /**
                 * @description Which ends of the task it is for.
                 * @default [
                 *       "succeeded",
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on: ("succeeded" | "failed" | "cancelled")[];
                /** @description WorkloadSpec of the task to submit, once; its container has the standard output as /pipe/stdin. */
                spec?: {
                    [key: string]: unknown;
                };
                /** @description Instead of spec: a WorkloadSpec in which each whole word TARGET stands for target. */
                template?: {
                    [key: string]: unknown;
                };
                /** @description What TARGET in the template becomes. */
                target?: string;
            })[];
            /**
             * @description Short name for people, shown in lists; it need not be unique.
             * @default null
             */
            name: string | null;
            /**
             * @description Names and values to find the task by.
             * @default {}
             */
            labels: {
                [key: string]: string;
            };
            /**
             * @description Why this task exists, for whoever reads the record.
             * @default null
             */
            rationale: string | null;
            /**
             * @description Names of stored connections: secrets for the container and its pull.
             * @default []
             */
            connections: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It cannot. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description See docs/metrics.md. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK Set (RFC 7517). */
            200: {
                headers: {
                    /** @description For how long it may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/jwk-set+json": {
                        keys: {
                            /** @enum {string} */
                            kty: "OKP";
                            /** @enum {string} */
                            crv: "Ed25519";
                            x: string;
                            kid: string;
                            /** @enum {string} */
                            use: "sig";
                            alg: string;
                        }[];
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openid_configuration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description For how long it may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        jwks_uri: string;
                        authorization_endpoint: string;
                        response_types_supported: string[];
                        subject_types_supported: string[];
                        id_token_signing_alg_values_supported: string[];
                        claims_supported: string[];
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_problems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": {
                        data: components["schemas"]["ProblemPage"][];
                    };
                    "text/html": string;
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_problem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A stable code, such as TASK_NOT_FOUND. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": components["schemas"]["ProblemPage"];
                    "text/html": string;
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND: There is nothing at this address. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_schemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description CRC-64-AVRO of the canonical form, 16 hex digits. */
                            fingerprint: string;
                            name: string;
                            /** @description The transition it describes; null for one that is written no more. */
                            transition: string | null;
                            /** @description Whether this version writes it. */
                            current: boolean;
                            /** @description Of the text, which has defaults and documentation that the fingerprint ignores. */
                            sha256: string;
                        }[];
                        /** @description Ask with it for the next page; null on the last one. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_schema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 16 hex digits, the most significant byte first. */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    asyncapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description AsyncAPI 3.0. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
                /** @description Only tasks of these statuses. */
                status?: components["schemas"]["TaskStatusInput"][];
                /** @description Only tasks with all these labels: name, or name=value. */
                label?: string[];
                /** @description Only tasks of exactly this name. */
                name?: string;
                /** @description Only tasks whose spec names this image; without a tag, latest is meant. */
                image?: string;
                /** @description Only tasks whose last attempt is or was on this node. */
                node?: string;
                /** @description Only tasks of this source: "submit", or "replay:<id>". */
                source?: string;
                /** @description Only replays of the task with this id. */
                replay_of?: string;
                /** @description Only tasks that ended for this reason: exit, signal, oom, timeout, node_lost and so on. */
                reason?: string;
                /** @description Only tasks that ended with this code. */
                exit_code?: number;
                /** @description Only tasks submitted at this time or later. */
                submitted_after?: string;
                /** @description Only tasks submitted before this time. */
                submitted_before?: string;
                /** @description Only tasks that ended at this time or later. */
                finished_after?: string;
                /** @description Only tasks that ended before this time. */
                finished_before?: string;
                /** @description A position, as the header Cazi-Position of a creating or changing answer held it: wait, for a bounded time, until the read models have reached it. */
                min_seq?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submit_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request create once, for ever. */
                "idempotency-key"?: string;
                /** @description W3C trace context: the task, its events and its container join this trace. */
                traceparent?: string;
                /** @description W3C trace context: passed on to the container. */
                tracestate?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkloadSpecInput"];
                "application/yaml": components["schemas"]["WorkloadSpecInput"];
            };
        };
        responses: {
            /** @description Recorded. Location is the task's address. */
            202: {
                headers: {
                    /** @description The task's address. */
                    Location?: string;
                    /** @description true when an earlier request with this key made it. */
                    "Idempotent-Replayed"?: string;
                    /** @description Place of the change in the ledger: send it as min_seq to read what shows the change. */
                    "Cazi-Position"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedTask"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             *
             *     SPEC_SYNTAX: The spec is not JSON or YAML that can be read.
             *
             *     SPEC_DUPLICATE_KEY: The spec has the same key twice in one place, so that one of the two would be lost silently.
             *
             *     SPEC_ALIAS: The spec uses YAML's aliases or merge keys, which can make a small text grow without bound.
             *
             *     SPEC_MULTIPLE_DOCUMENTS: The text holds several YAML documents.
             *
             *     SPEC_NUMBER: A number of the spec is not finite, or has more digits than are kept exactly.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description SPEC_TOO_LARGE: The spec is larger than what is recorded.
             *
             *     BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored.
             *
             *     CONNECTION_UNKNOWN: The spec names a connection that is not stored. Nothing was submitted.
             *
             *     SPEC_TOO_DEEP: The spec is nested too deeply.
             *
             *     SPEC_INVALID: The spec was read, and some of its fields are unknown or have wrong values.
             *
             *     MOUNT_NOT_ALLOWED: No node allows a mount that the spec asks for.
             *
             *     SINK_TARGET_NOT_ALLOWED: An output sink names an address that requests of this tenant may not go to.
             *
             *     SINK_FILES_OFF: An output sink is of type file, and this server has no folder for them.
             *
             *     SINK_CHAIN_TOO_LONG: More tasks would follow one another, each the task sink of the one before, than a chain may have.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored.
             *
             *     QUOTA_EXCEEDED: The tenant has as much of something as it may have at once. Nothing was stored.
             */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     PROJECTOR_DOWN: Nothing was submitted: the read models are too far behind, or nobody keeps them.
             *
             *     STORAGE_FULL: Nothing was submitted: the disk or a stream is nearly full. What runs still ends and is recorded.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             *
             *     ACK_UNKNOWN: The task is in the ledger, but Postgres did not confirm it in time. It may run.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LEDGER_BUSY: The task kept changing while a change was decided.
             *
             *     LEDGER_REGRESSED: The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replay_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request create once, for ever. */
                "idempotency-key"?: string;
                /** @description W3C trace context: the task, its events and its container join this trace. */
                traceparent?: string;
                /** @description W3C trace context: passed on to the container. */
                tracestate?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recorded. Location is the task's address. */
            202: {
                headers: {
                    /** @description The task's address. */
                    Location?: string;
                    /** @description true when an earlier request with this key made it. */
                    "Idempotent-Replayed"?: string;
                    /** @description Place of the change in the ledger: send it as min_seq to read what shows the change. */
                    "Cazi-Position"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedTask"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored.
             *
             *     CONNECTION_UNKNOWN: The spec names a connection that is not stored. Nothing was submitted.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored.
             *
             *     QUOTA_EXCEEDED: The tenant has as much of something as it may have at once. Nothing was stored.
             */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     PROJECTOR_DOWN: Nothing was submitted: the read models are too far behind, or nobody keeps them.
             *
             *     STORAGE_FULL: Nothing was submitted: the disk or a stream is nearly full. What runs still ends and is recorded.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             *
             *     ACK_UNKNOWN: The task is in the ledger, but Postgres did not confirm it in time. It may run.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LEDGER_BUSY: The task kept changing while a change was decided.
             *
             *     LEDGER_REGRESSED: The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_task: {
        parameters: {
            query?: {
                /** @description Answer when the task is over, or after so many seconds, at most 50. */
                wait?: number;
                /** @description A position, as the header Cazi-Position of a creating or changing answer held it: wait, for a bounded time, until the read models have reached it. */
                min_seq?: string;
            };
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    erase_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the task as the caller knows it: 412 when the task has moved on since. */
                "if-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is erased for good. */
            202: {
                headers: {
                    /** @description Place of the change in the ledger: send it as min_seq to read what shows the change. */
                    "Cazi-Position"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description How many sinks its output had not gone to, and never will; a try that is under way may still arrive. */
                        sinks_given_up: number;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_ENDED: What was asked for is possible only when the task is over. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PRECONDITION_FAILED: The task has moved on since the ETag that `If-Match` names. Nothing was changed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LEDGER_BUSY: The task kept changing while a change was decided.
             *
             *     LEDGER_REGRESSED: The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_task_events: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
                /** @description A position, as the header Cazi-Position of a creating or changing answer held it: wait, for a bounded time, until the read models have reached it. */
                min_seq?: string;
            };
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskEventPage"];
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_attempts: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
                /** @description A position, as the header Cazi-Position of a creating or changing answer held it: wait, for a bounded time, until the read models have reached it. */
                min_seq?: string;
            };
            header?: never;
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptPage"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preview_bulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description cancel: tasks that are not over; replay: those that are, each as a new task.
                     * @enum {string}
                     */
                    action: "cancel" | "replay";
                    /** @description The conditions of list_tasks; every one has to hold, and there has to be one. */
                    filter: {
                        /** @description Only tasks of these statuses. */
                        status?: components["schemas"]["TaskStatusInput"][];
                        /** @description Only tasks with all these labels: name, or name=value. */
                        label?: string[];
                        /** @description Only tasks of exactly this name. */
                        name?: string;
                        /** @description Only tasks whose spec names this image; without a tag, latest is meant. */
                        image?: string;
                        /** @description Only tasks whose last attempt is or was on this node. */
                        node?: string;
                        /** @description Only tasks of this source: "submit", or "replay:<id>". */
                        source?: string;
                        /** @description Only replays of the task with this id. */
                        replay_of?: string;
                        /** @description Only tasks that ended for this reason: exit, signal, oom, timeout, node_lost and so on. */
                        reason?: string;
                        /** @description Only tasks that ended with this code. */
                        exit_code?: number;
                        /**
                         * Format: date-time
                         * @description Only tasks submitted at this time or later.
                         */
                        submitted_after?: string;
                        /**
                         * Format: date-time
                         * @description Only tasks submitted before this time.
                         */
                        submitted_before?: string;
                        /**
                         * Format: date-time
                         * @description Only tasks that ended at this time or later.
                         */
                        finished_after?: string;
                        /**
                         * Format: date-time
                         * @description Only tasks that ended before this time.
                         */
                        finished_before?: string;
                    };
                };
            };
        };
        responses: {
            /** @description How many, and the first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPreview"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description SELECTION_TOO_LARGE: More tasks match than one bulk action may be done to. Nothing was done. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    act_in_bulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of replays: the same key on each call makes each new task once, for ever. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What a preview gave. */
                    selection: string;
                    /** @description next_cursor of the call before. */
                    cursor?: string;
                    /** @description Tasks a call, at most 200. */
                    limit?: number;
                    /**
                     * @description Of a cancel: why, for whoever reads the record.
                     * @default null
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description What came of each task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPage"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     POSITION_INVALID: The position is not one that this server gave.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             *
             *     SELECTION_INVALID: The selection of a bulk action is not one that a preview gave, or was changed on the way.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description POSITION_OF_OTHER_EPOCH: The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored.
             *
             *     CONNECTION_UNKNOWN: The spec names a connection that is not stored. Nothing was submitted.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored.
             *
             *     QUOTA_EXCEEDED: The tenant has as much of something as it may have at once. Nothing was stored.
             */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NOT_REACHED_YET: The read models did not reach the position of `min_seq` within the wait.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             *
             *     PROJECTOR_DOWN: Nothing was submitted: the read models are too far behind, or nobody keeps them.
             *
             *     STORAGE_FULL: Nothing was submitted: the disk or a stream is nearly full. What runs still ends and is recorded.
             *
             *     ACK_UNKNOWN: The task is in the ledger, but Postgres did not confirm it in time. It may run.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LEDGER_BUSY: The task kept changing while a change was decided.
             *
             *     LEDGER_REGRESSED: The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the task as the caller knows it: 412 when the task has moved on since. */
                "if-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Why, for whoever reads the record.
                     * @default null
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The task. */
            202: {
                headers: {
                    /** @description Place of the change in the ledger: send it as min_seq to read what shows the change. */
                    "Cazi-Position"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ENDED: The task is over, so it cannot be changed any more. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PRECONDITION_FAILED: The task has moved on since the ETag that `If-Match` names. Nothing was changed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LEDGER_BUSY: The task kept changing while a change was decided.
             *
             *     LEDGER_REGRESSED: The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_task_logs: {
        parameters: {
            query?: {
                /** @description Only what comes after this position. */
                after?: string;
                /** @description Entries a page, at most 10000; 200 unless given. */
                limit?: number;
                /** @description The last so many entries instead of the first ones. Not together with after, offset or until. */
                tail?: number;
                /** @description Begin at this byte of `stream`, in `attempt` or else the last one; within a line, with the rest of it. */
                offset?: number;
                /** @description Only lines whose first bytes the node read at this time or later: RFC 3339, or how long ago, such as 10m. It says where reading begins: further pages are asked for with after instead. */
                since?: string;
                /** @description Only lines read before this time; the same forms. Not together with tail or follow. */
                until?: string;
                /** @description Only lines that hold this text, as it is (no expression), after secrets were masked. Also when followed. */
                grep?: string;
                /** @description grep takes upper and lower case for the same. */
                ignore_case?: boolean;
                /** @description Only this attempt; unset: all of them. */
                attempt?: number;
                /** @description Only this stream; unset: both. */
                stream?: "stdout" | "stderr";
                /** @description Answer as server-sent events until the output ends. */
                follow?: boolean;
            };
            header?: {
                /** @description Where a follower goes on: the id of the last event that it saw. It wins over `after`. */
                "last-event-id"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPage"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored.
             *
             *     QUOTA_EXCEEDED: The tenant has as much of something as it may have at once. Nothing was stored.
             */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer.
             *
             *     OUTPUT_INCOMPLETE: Bytes in the middle of a task's output are missing in the store, so the output is not given as if it were whole.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LOGS_UNAVAILABLE: The store of outputs did not answer in time.
             *
             *     OUTPUT_LATE: The task is over, and the end of its output is not in the store: it is on its way, or the store has lost it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_task_output: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The output. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOutput"];
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer.
             *
             *     OUTPUT_INCOMPLETE: Bytes in the middle of a task's output are missing in the store, so the output is not given as if it were whole.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LOGS_UNAVAILABLE: The store of outputs did not answer in time.
             *
             *     OUTPUT_LATE: The task is over, and the end of its output is not in the store: it is on its way, or the store has lost it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_task_raw_output: {
        parameters: {
            query?: {
                /** @description Unset: stdout. */
                stream?: "stdout" | "stderr";
                /** @description Unset: the last attempt. */
                attempt?: number;
            };
            header?: never;
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description true when the task is over, so that these are all the bytes there will be. */
                    "Cazi-Complete"?: string;
                    /** @description true when bytes were not kept. */
                    "Cazi-Truncated"?: string;
                    /** @description How many. */
                    "Cazi-Dropped"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer.
             *
             *     OUTPUT_INCOMPLETE: Bytes in the middle of a task's output are missing in the store, so the output is not given as if it were whole.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LOGS_UNAVAILABLE: The store of outputs did not answer in time.
             *
             *     OUTPUT_LATE: The task is over, and the end of its output is not in the store: it is on its way, or the store has lost it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_artifacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A relative path, unique within the task. */
                            name: string;
                            /** @description Which attempt published it; a later attempt's file takes the place of an earlier one's. */
                            attempt: number;
                            bytes: number;
                            /** @description Of its bytes, hex; also its ETag. */
                            sha256: string;
                            /** @description As its sender said it, or by its name. Nobody has looked into the file. */
                            media_type: string;
                            /**
                             * Format: date-time
                             * @description Time, RFC 3339 in UTC with milliseconds.
                             */
                            stored_at: string;
                            /**
                             * Format: date-time
                             * @description It is gone then: artifact_ttl_seconds after it was stored.
                             */
                            expires_at: string;
                        }[];
                    };
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_artifact: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
                /** @description The file's name, percent-encoded; slashes in it may also stand as they are. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description A part. */
            206: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TASK_NOT_FOUND: There is no task of this id that the caller may know of.
             *
             *     ARTIFACT_NOT_FOUND: The task has published no file of this name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept.
             *
             *     ARTIFACT_EXPIRED: The file was published, and its time is over.
             */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RANGE_NOT_SATISFIABLE: The part of the file that was asked for lies beyond its end. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     ARTIFACT_STORE_UNAVAILABLE: The store of published files did not answer in time.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compare_task: {
        parameters: {
            query?: {
                /** @description The other task; unset: the one that this task replays. */
                with?: string;
            };
            header?: {
                /** @description ETags of answers that the caller has: 304 with no body when one of them is right. */
                "if-none-match"?: string;
            };
            path: {
                /** @description A task's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description The caller has this answer. */
            304: {
                headers: {
                    /** @description Names this very answer; strong. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_FOUND: There is no task of this id that the caller may know of. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_NOT_ENDED: What was asked for is possible only when the task is over. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TASK_ERASED: The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer.
             *
             *     OUTPUT_INCOMPLETE: Bytes in the middle of a task's output are missing in the store, so the output is not given as if it were whole.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     LEDGER_UNAVAILABLE: The ledger could not be read or written in time. A change may or may not have been stored.
             *
             *     LOGS_UNAVAILABLE: The store of outputs did not answer in time.
             *
             *     OUTPUT_LATE: The task is over, and the end of its output is not in the store: it is on its way, or the store has lost it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_nodes: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of nodes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePage"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A node's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_FOUND: There is no node of this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    declare_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A node's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    labels: {
                        [key: string]: string;
                    };
                    tags: string[];
                    /** @description Whose tasks may run there; null for everybody's. */
                    tenants: string[] | null;
                    slots: number;
                    networks: string[];
                    /** @description Host paths below which it may offer mounts. */
                    mounts: string[];
                    /**
                     * @description Public key of its NATS account; null leaves the one that it has.
                     * @default null
                     */
                    account?: string | null;
                };
            };
        };
        responses: {
            /** @description The node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_FOUND: There is no node of this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_STANDALONE: A node of this name lives in the services' own account, as the embedded one does. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_node: {
        parameters: {
            query?: {
                /** @description true: also while attempts are on it; they count as lost. */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description A node's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @description Its NATS account, which is to be revoked; null where it had none. */
                        account: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_FOUND: There is no node of this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description NODE_NOT_STANDALONE: A node of this name lives in the services' own account, as the embedded one does.
             *
             *     NODE_BUSY: Attempts are on the node, so it is not removed.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_node_state: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A node's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    state: "active" | "cordoned" | "draining";
                };
            };
        };
        responses: {
            /** @description The node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_FOUND: There is no node of this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NODE_NOT_STANDALONE: A node of this name lives in the services' own account, as the embedded one does. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SigningKey"][];
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Signs at once, before all verifiers have the new key: for a key that is no longer trusted.
                     * @default false
                     */
                    now?: boolean;
                    /**
                     * @description Key id that shall sign no more, so that the same request twice is one rotation; null: the active one.
                     * @default null
                     */
                    replaces?: string | null;
                };
            };
        };
        responses: {
            /** @description The keys as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SigningKey"][];
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     KEYS_UNAVAILABLE: The signing keys of workload tokens cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A key id. */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SigningKey"][];
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description KEY_NOT_FOUND: There is no signing key of this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     KEYS_UNAVAILABLE: The signing keys of workload tokens cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_connections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of the tenant, without values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Connection"][];
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONNECTION_NOT_FOUND: There is no connection of this name in the tenant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Variables of the container, by name.
                     * @default {}
                     */
                    environment?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Files below /run/secrets/cazi/<connection> in the container: content in base64, by path.
                     * @default {}
                     */
                    files?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Credentials for pulling images; they do not reach the container.
                     * @default null
                     */
                    registry?: {
                        /** @description The registry, as images name it. */
                        host: string;
                        username: string;
                        password: string;
                    } | null;
                    /**
                     * @description What it is for; no secret.
                     * @default null
                     */
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description New. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONNECTION_VALUE_SHORT: A value of the connection has fewer than 6 bytes, so that output could not be masked for it. Nothing was stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_connection: {
        parameters: {
            query?: {
                /** @description true: also destroys what is kept, sealed, to mask it in output of the tasks that used it; their output may show it then. */
                forget?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The connection's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONNECTION_NOT_FOUND: There is no connection of this name in the tenant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     CONNECTIONS_UNAVAILABLE: The stored connections cannot be read or written now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow_events: {
        parameters: {
            query?: {
                /** @description Only these transitions, separated by commas or given several times; all unless given. */
                types?: ("submitted" | "blocked" | "scheduled" | "returned" | "claimed" | "pulling" | "running" | "retrying" | "cancel_requested" | "succeeded" | "failed" | "cancelled" | "artifact_stored" | "artifact_removed" | "sink_delivered" | "sink_failed" | "erased")[];
                /** @description Only what comes after this id; 0 for all there is. Unless given, what comes from now on. `Last-Event-ID` wins. */
                after?: string;
                /** @description The event as JSON in `data`, or its very bytes in `data_base64`. */
                format?: "json" | "avro";
            };
            header?: {
                /** @description Where a reader goes on: the id of the last event that it dealt with. It wins over `after`. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored.
             *
             *     QUOTA_EXCEEDED: The tenant has as much of something as it may have at once. Nothing was stored.
             */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     FEED_UNAVAILABLE: The feed cannot be read now: its server does not answer.
             *
             *     FEED_STREAMS_FULL: As many streams of events are open at this server as it serves at a time.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_subscribers: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscriber"][];
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_subscriber: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description A subscriber's name, within its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriber. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     SUBSCRIBER_NOT_FOUND: There is no subscriber of this name in the tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_subscriber: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description A subscriber's name, within its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Public key of its NATS account, which is announced after this. */
                    account: string;
                    /**
                     * @description The account that it has now, which was revoked before this; null for a new subscriber.
                     * @default null
                     */
                    replaces?: string | null;
                };
            };
        };
        responses: {
            /** @description The subscriber. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description SUBSCRIBER_EXISTS: The subscriber has another account than the one that was to be replaced: somebody else was faster. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_subscriber: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description A subscriber's name, within its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     SUBSCRIBER_NOT_FOUND: There is no subscriber of this name in the tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_dead_letters: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Its place among the dead letters; another one when it was sent again in vain. */
                            id: string;
                            /**
                             * @description What it is of: a node's report, or the sink of a task.
                             * @enum {string}
                             */
                            kind: "report" | "sink";
                            /**
                             * Format: date-time
                             * @description Time, RFC 3339 in UTC with milliseconds.
                             */
                            at: string;
                            reason: string;
                            /** @description Null where nobody can tell whose it is. */
                            tenant: string | null;
                            task: string | null;
                            sink: string | null;
                            /** @description Of a report: who sent it. */
                            node: string | null;
                            /** @description Somebody had it sent again, and it is under way. */
                            resending: boolean;
                            /** @description Of the message. */
                            bytes: number;
                        }[];
                        /** @description Ask with it for the next page; null on the last one. */
                        next_cursor: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DEAD_LETTERS_UNAVAILABLE: The dead letters cannot be read or changed now: NATS does not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_dead_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead letter's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The letter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Its place among the dead letters; another one when it was sent again in vain. */
                        id: string;
                        /**
                         * @description What it is of: a node's report, or the sink of a task.
                         * @enum {string}
                         */
                        kind: "report" | "sink";
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        at: string;
                        reason: string;
                        /** @description Null where nobody can tell whose it is. */
                        tenant: string | null;
                        task: string | null;
                        sink: string | null;
                        /** @description Of a report: who sent it. */
                        node: string | null;
                        /** @description Somebody had it sent again, and it is under way. */
                        resending: boolean;
                        /** @description Of the message. */
                        bytes: number;
                        /** @description The message, where it is text. */
                        text: string | null;
                        /** @description The message, where it is none. */
                        base64: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description DEAD_LETTER_NOT_FOUND: There is no dead letter of this id, or it is not for the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DEAD_LETTERS_UNAVAILABLE: The dead letters cannot be read or changed now: NATS does not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drop_dead_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead letter's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description DEAD_LETTER_NOT_FOUND: There is no dead letter of this id, or it is not for the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DEAD_LETTERS_UNAVAILABLE: The dead letters cannot be read or changed now: NATS does not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resend_dead_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead letter's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is under way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Its place among the dead letters; another one when it was sent again in vain. */
                        id: string;
                        /**
                         * @description What it is of: a node's report, or the sink of a task.
                         * @enum {string}
                         */
                        kind: "report" | "sink";
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        at: string;
                        reason: string;
                        /** @description Null where nobody can tell whose it is. */
                        tenant: string | null;
                        task: string | null;
                        sink: string | null;
                        /** @description Of a report: who sent it. */
                        node: string | null;
                        /** @description Somebody had it sent again, and it is under way. */
                        resending: boolean;
                        /** @description Of the message. */
                        bytes: number;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description DEAD_LETTER_NOT_FOUND: There is no dead letter of this id, or it is not for the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DEAD_LETTERS_UNAVAILABLE: The dead letters cannot be read or changed now: NATS does not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tenant: string;
                        actor: string;
                        accountable: string | null;
                        /**
                         * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /** @description May administer tenants: an admin of the installation's own tenant. */
                        installation_admin: boolean;
                        /** @description Null for the first token and for a sign-in. */
                        token: {
                            id: string;
                            name: string;
                            expires_at: string | null;
                        } | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tenants: {
        parameters: {
            query?: {
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tenants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            name: string;
                            display_name: string | null;
                            /** @description As they were set for this tenant. */
                            limits: {
                                /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                                pending_max: number | null;
                                /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                                submits_per_minute: number | null;
                                /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                                follows_max: number | null;
                                /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                                stored_bytes_max: number | null;
                            };
                            /** @description The same with the installation's defaults filled in; 0: no limit. */
                            limits_in_force: {
                                [key: string]: number;
                            };
                            /**
                             * Format: date-time
                             * @description Time, RFC 3339 in UTC with milliseconds.
                             */
                            created_at: string;
                            /** @description Who made it, such as "user:admin". */
                            created_by: string;
                            /** @description Null while it is in use. */
                            removed_at: string | null;
                        }[];
                        /** @description Ask with it for the next page; null on the last one. */
                        next_cursor: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_tenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request create once, for ever. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of a tenant. */
                    name: string;
                    /** @default null */
                    display_name?: string | null;
                    /** @default {} */
                    limits?: {
                        /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                        pending_max?: number | null;
                        /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                        submits_per_minute?: number | null;
                        /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                        follows_max?: number | null;
                        /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                        stored_bytes_max?: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description The tenant. */
            201: {
                headers: {
                    /** @description Its address. */
                    Location?: string;
                    /** @description true when an earlier request with this key made it. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        display_name: string | null;
                        /** @description As they were set for this tenant. */
                        limits: {
                            /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                            pending_max: number | null;
                            /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                            submits_per_minute: number | null;
                            /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                            follows_max: number | null;
                            /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                            stored_bytes_max: number | null;
                        };
                        /** @description The same with the installation's defaults filled in; 0: no limit. */
                        limits_in_force: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_EXISTS: There is a tenant of this name already; perhaps it was removed, and its record stays. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_tenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        display_name: string | null;
                        /** @description As they were set for this tenant. */
                        limits: {
                            /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                            pending_max: number | null;
                            /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                            submits_per_minute: number | null;
                            /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                            follows_max: number | null;
                            /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                            stored_bytes_max: number | null;
                        };
                        /** @description The same with the installation's defaults filled in; 0: no limit. */
                        limits_in_force: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_tenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        display_name: string | null;
                        /** @description As they were set for this tenant. */
                        limits: {
                            /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                            pending_max: number | null;
                            /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                            submits_per_minute: number | null;
                            /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                            follows_max: number | null;
                            /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                            stored_bytes_max: number | null;
                        };
                        /** @description The same with the installation's defaults filled in; 0: no limit. */
                        limits_in_force: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /** @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_IS_HOME: The installation is administered from this tenant, so it cannot be removed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             *
             *     NATS_UNAVAILABLE: There is no connection to NATS.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_tenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Takes back that it was removed: its tokens that are not revoked are good again.
                     * @enum {boolean}
                     */
                    removed?: false;
                    display_name?: string | null;
                    /** @default {} */
                    limits?: {
                        /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                        pending_max?: number | null;
                        /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                        submits_per_minute?: number | null;
                        /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                        follows_max?: number | null;
                        /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                        stored_bytes_max?: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        display_name: string | null;
                        /** @description As they were set for this tenant. */
                        limits: {
                            /** @description Tasks that may wait for a node at once. 0: no limit; null: the installation's default. */
                            pending_max: number | null;
                            /** @description Tasks that may be submitted in a minute. 0: no limit; null: the installation's default. */
                            submits_per_minute: number | null;
                            /** @description Streams of logs and events open at once; each server of the API takes its part. 0: no limit; null: the installation's default. */
                            follows_max: number | null;
                            /** @description Bytes of output, of every attempt, and of artifacts that are kept of all its tasks. 0: no limit; null: the installation's default. */
                            stored_bytes_max: number | null;
                        };
                        /** @description The same with the installation's defaults filled in; 0: no limit. */
                        limits_in_force: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             *
             *     INSTALLATION_ONLY: This concerns the whole installation, and the token is of another tenant than the installation's own.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            name: string;
                            tenant: string;
                            display_name: string | null;
                            /**
                             * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                             * @enum {string}
                             */
                            role: "viewer" | "operator" | "admin";
                            /** @description What the sign-in's claim says of this person; null: tokens alone. */
                            login: string | null;
                            /**
                             * Format: date-time
                             * @description Time, RFC 3339 in UTC with milliseconds.
                             */
                            created_at: string;
                            /** @description Who made it, such as "user:admin". */
                            created_by: string;
                            /** @description Null while it is in use. */
                            removed_at: string | null;
                        }[];
                        /** @description Ask with it for the next page; null on the last one. */
                        next_cursor: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_user: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: {
                /** @description The same key and request create once, for ever. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of a user, in its tenant. */
                    name: string;
                    /**
                     * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                     * @default viewer
                     * @enum {string}
                     */
                    role?: "viewer" | "operator" | "admin";
                    /** @default null */
                    display_name?: string | null;
                    /**
                     * @description What the claim of CAZI_OIDC_USER_CLAIM says of this person.
                     * @default null
                     */
                    login?: string | null;
                };
            };
        };
        responses: {
            /** @description The user. */
            201: {
                headers: {
                    /** @description Its address. */
                    Location?: string;
                    /** @description true when an earlier request with this key made it. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        tenant: string;
                        display_name: string | null;
                        /**
                         * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /** @description What the sign-in's claim says of this person; null: tokens alone. */
                        login: string | null;
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description USER_EXISTS: There is a user of this name or login in the tenant already; perhaps removed, and the record stays. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_user: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description Name of a user, in its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        tenant: string;
                        display_name: string | null;
                        /**
                         * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /** @description What the sign-in's claim says of this person; null: tokens alone. */
                        login: string | null;
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     USER_NOT_FOUND: There is no user of this name in the tenant, or the user was removed.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_user: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description Name of a user, in its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        tenant: string;
                        display_name: string | null;
                        /**
                         * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /** @description What the sign-in's claim says of this person; null: tokens alone. */
                        login: string | null;
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     USER_NOT_FOUND: There is no user of this name in the tenant, or the user was removed.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_user: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description Name of a user, in its tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Takes back that it was removed: its tokens that are not revoked are good again.
                     * @enum {boolean}
                     */
                    removed?: false;
                    /**
                     * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                     * @enum {string}
                     */
                    role?: "viewer" | "operator" | "admin";
                    display_name?: string | null;
                    /** @description What the claim of CAZI_OIDC_USER_CLAIM says of this person. */
                    login?: string | null;
                };
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        tenant: string;
                        display_name: string | null;
                        /**
                         * @description viewer reads; operator also submits, cancels and replays; admin also administers the tenant.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /** @description What the sign-in's claim says of this person; null: tokens alone. */
                        login: string | null;
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        /** @description Null while it is in use. */
                        removed_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     USER_NOT_FOUND: There is no user of this name in the tenant, or the user was removed.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description USER_EXISTS: There is a user of this name or login in the tenant already; perhaps removed, and the record stays. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
                /** @description Items a page, at most 200; 50 unless given. */
                limit?: number;
                /** @description next_cursor of the page before; its text means nothing to the caller. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            tenant: string;
                            name: string;
                            /** @enum {string} */
                            kind: "person" | "agent" | "automation" | "first";
                            /** @description The user who answers for what is done with it. */
                            acts_for: string;
                            /** @description Name of the agent or automation. */
                            acts_as: string | null;
                            /**
                             * @description Never more than the user's own at the moment of use.
                             * @enum {string}
                             */
                            role: "viewer" | "operator" | "admin";
                            /**
                             * Format: date-time
                             * @description Time, RFC 3339 in UTC with milliseconds.
                             */
                            created_at: string;
                            /** @description Who made it, such as "user:admin". */
                            created_by: string;
                            expires_at: string | null;
                            revoked_at: string | null;
                            revoked_by: string | null;
                            /** @description Within a minute or so; null when never. */
                            last_used_at: string | null;
                        }[];
                        /** @description Ask with it for the next page; null on the last one. */
                        next_cursor: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     CURSOR_INVALID: The cursor was not made by this list, or was changed on the way.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_token: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: {
                /** @description The same key and request create once, for ever. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What it is for, for whoever reads the list. */
                    name: string;
                    /** @description Name of a user, in its tenant. */
                    acts_for: string;
                    /**
                     * @description person: the user's own. agent, automation: somebody else, for whom the user answers.
                     * @default person
                     * @enum {string}
                     */
                    kind?: "person" | "agent" | "automation";
                    /**
                     * @description Name of the agent or automation; null for a person's own.
                     * @default null
                     */
                    acts_as?: string | null;
                    /**
                     * @description The user's own unless given; never more.
                     * @enum {string}
                     */
                    role?: "viewer" | "operator" | "admin";
                    /** @default null */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    /** @description Its address. */
                    Location?: string;
                    /** @description true when an earlier request with this key made it. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tenant: string;
                        name: string;
                        /** @enum {string} */
                        kind: "person" | "agent" | "automation" | "first";
                        /** @description The user who answers for what is done with it. */
                        acts_for: string;
                        /** @description Name of the agent or automation. */
                        acts_as: string | null;
                        /**
                         * @description Never more than the user's own at the moment of use.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        expires_at: string | null;
                        revoked_at: string | null;
                        revoked_by: string | null;
                        /** @description Within a minute or so; null when never. */
                        last_used_at: string | null;
                        /** @description The token itself, this once. Null when an earlier request with this key made it. */
                        token: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             *
             *     IDEMPOTENCY_KEY_INVALID: The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.
             *
             *     BODY_INVALID: The body of the request cannot be read as JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     USER_NOT_FOUND: There is no user of this name in the tenant, or the user was removed.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description REQUEST_TIMED_OUT: The request did not arrive whole within 30 seconds. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_LARGE: The body of the request is larger than what is read. Nothing was stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE: The Content-Type of the body is not one that is read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKEN_INVALID: The token that was asked for contradicts itself or its user. Nothing was made.
             *
             *     IDEMPOTENCY_KEY_REUSED: The Idempotency-Key belongs to another request that created something. Nothing new was stored.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_token: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description A token's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tenant: string;
                        name: string;
                        /** @enum {string} */
                        kind: "person" | "agent" | "automation" | "first";
                        /** @description The user who answers for what is done with it. */
                        acts_for: string;
                        /** @description Name of the agent or automation. */
                        acts_as: string | null;
                        /**
                         * @description Never more than the user's own at the moment of use.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        expires_at: string | null;
                        revoked_at: string | null;
                        revoked_by: string | null;
                        /** @description Within a minute or so; null when never. */
                        last_used_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     TOKEN_NOT_FOUND: There is no token of this id in the tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: {
                /** @description Another tenant; for admins of the installation. */
                tenant?: string;
            };
            header?: never;
            path: {
                /** @description A token's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token, revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tenant: string;
                        name: string;
                        /** @enum {string} */
                        kind: "person" | "agent" | "automation" | "first";
                        /** @description The user who answers for what is done with it. */
                        acts_for: string;
                        /** @description Name of the agent or automation. */
                        acts_as: string | null;
                        /**
                         * @description Never more than the user's own at the moment of use.
                         * @enum {string}
                         */
                        role: "viewer" | "operator" | "admin";
                        /**
                         * Format: date-time
                         * @description Time, RFC 3339 in UTC with milliseconds.
                         */
                        created_at: string;
                        /** @description Who made it, such as "user:admin". */
                        created_by: string;
                        expires_at: string | null;
                        revoked_at: string | null;
                        revoked_by: string | null;
                        /** @description Within a minute or so; null when never. */
                        last_used_at: string | null;
                    };
                };
            };
            /**
             * @description REQUEST_MALFORMED: What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.
             *
             *     REQUEST_INVALID: A parameter, a header or a member of the body is not one that is known here, or has a wrong value.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED: The request has no bearer token, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description HOST_NOT_ALLOWED: The Host header names another machine, as a web page does that was made to point here.
             *
             *     ROLE_TOO_LOW: The token is valid, but its role may not do this. Nothing was changed.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TENANT_NOT_FOUND: There is no tenant of this name, or the token may not know of it.
             *
             *     TOKEN_NOT_FOUND: There is no token of this id in the tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED: More requests came than a limit allows; `limit` says which one. Nothing was stored. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL: Something went wrong in the server that must not. The cause is in its log and in no answer. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description TOKENS_UNREACHABLE: Who the token speaks for cannot be told, or not be changed, because NATS does not answer.
             *
             *     SIGN_IN_UNREACHABLE: The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.
             *
             *     DATABASE_UNAVAILABLE: Postgres does not answer. Running tasks go on; reads and submits wait for it.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
