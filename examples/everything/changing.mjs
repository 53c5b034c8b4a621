// What can come and go while the server runs. A pack gets the server that opens it, and tells it what has changed.
import { pack, prompt, tool } from "@toolwright/engine";

const passing = tool({
  name: "test_passing_tool",
  description: "Is here on and off.",
  run: () => "I am here for now.",
});

const passingPrompt = prompt({
  name: "test_passing_prompt",
  description: "Is here on and off.",
  run: () => "I am here for now.",
});

export const changing = pack({
  name: "changing",
  open(_settings, host) {
    let hasTool = false;
    let hasPrompt = false;

    const changeTools = tool({
      name: "test_trigger_tool_change",
      description: "Adds a tool, or takes it away again.",
      run() {
        hasTool = !hasTool;
        if (hasTool) host.addTool(passing);
        else host.removeTool(passing.name);
        return `The tool is ${hasTool ? "there" : "gone"}.`;
      },
    });

    const changePrompts = tool({
      name: "test_trigger_prompt_change",
      description: "Adds a prompt, or takes it away again.",
      run() {
        hasPrompt = !hasPrompt;
        if (hasPrompt) host.addPrompt(passingPrompt);
        else host.removePrompt(passingPrompt.name);
        return `The prompt is ${hasPrompt ? "there" : "gone"}.`;
      },
    });

    const changeResource = tool({
      name: "test_trigger_resource_change",
      description: "Says that test://watched-resource has changed.",
      run() {
        host.notifyResourceUpdated("test://watched-resource");
        return "Whoever watches it has been told.";
      },
    });

    return { tools: [changeTools, changePrompts, changeResource] };
  },
});
