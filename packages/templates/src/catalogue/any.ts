import type { TemplateSource } from "../template.js";
import { templatesOf } from "./shared/of.js";
import { line, list, projectName } from "./shared/parameters.js";

const template = templatesOf("any");

const SECURITY = `# Security policy

## Supported versions
{% if supported_versions.size > 0 %}
Security fixes are made for these versions of {{ project_name }}:
{% for version in supported_versions %}
- {{ version }}
{%- endfor %}
{%- else %}
Security fixes are made for the newest release of {{ project_name }}.
{%- endif %}

## Reporting a vulnerability

Please do not open a public issue.
{% if contact != "" %}
Write to {{ contact }}.
{%- else %}
Use "Report a vulnerability" in the Security tab of the repository, which only the maintainers can read.
{%- endif %}

Say what is affected, in which version, how it can be shown, and what somebody could do with it.

- You hear from us within {{ days_to_answer }} days.
- We tell you what we found, and when a fix is to be expected.
- We publish the fix with an advisory, and name you in it unless you would rather not be named.

Please give us a fair chance to publish a fix before you publish the details.
`;

const DOCKERIGNORE = `# What the image is not built from.
.git
.github
.env
.env.*
*.pem
.idea
.vscode
**/node_modules
**/.venv
**/__pycache__
**/obj
bin
target
dist
coverage
Dockerfile
.dockerignore
*.md
!README.md
{%- for pattern in more %}
{{ pattern }}
{%- endfor %}
`;

const DEPENDABOT = `version: 2
updates:
  - package-ecosystem: github-actions
    directory: /
    schedule:
      interval: weekly
    groups:
      actions:
        patterns: ["*"]
{%- for ecosystem in ecosystems %}
  - package-ecosystem: {{ ecosystem }}
    directory: /
    schedule:
      interval: weekly
    open-pull-requests-limit: 5
{%- endfor %}
`;

const ATTRIBUTES = `# Text is kept with LF, whatever the system.
* text=auto eol=lf
*.[cC][mM][dD] text eol=crlf
*.[bB][aA][tT] text eol=crlf

# Never a text, whatever it looks like.
*.png binary
*.jpg binary
*.gif binary
*.ico binary
*.pdf binary
*.zip binary
*.gz binary
*.woff2 binary
`;

/** Templates that are the same for every toolchain. */
export const anyTemplates: readonly TemplateSource[] = [
  template("security", "default", {
    name: "Security policy",
    description: "Policy that tells people how to report a vulnerability.",
    filename: "SECURITY.md",
    parameters: [
      projectName,
      line("contact", "Address to which a report is sent; without it GitHub's private reporting is named."),
      list("supported_versions", "Versions that get security fixes, a line each."),
      {
        name: "days_to_answer",
        type: "integer",
        description: "Days within which a report is answered.",
        default: 3,
        minimum: 1,
        maximum: 90,
      },
    ],
    body: SECURITY,
  }),
  template("dockerignore", "default", {
    name: ".dockerignore",
    description: "Files that an image is not built from.",
    filename: ".dockerignore",
    parameters: [list("more", "Further patterns, one each.")],
    body: DOCKERIGNORE,
  }),
  template("dependabot", "default", {
    name: "Dependabot settings",
    description: "Settings of Dependabot, which keeps dependencies and actions new.",
    filename: ".github/dependabot.yml",
    parameters: [
      {
        name: "ecosystems",
        type: "array",
        description: "Package ecosystems of the project beside its actions.",
        default: [],
        enum: ["bun", "cargo", "docker", "gomod", "maven", "npm", "nuget", "uv"],
      },
    ],
    body: DEPENDABOT,
  }),
  template("gitattributes", "default", {
    name: ".gitattributes",
    description: "Line ends and binary files as git treats them on every system.",
    filename: ".gitattributes",
    parameters: [],
    body: ATTRIBUTES,
  }),
];
