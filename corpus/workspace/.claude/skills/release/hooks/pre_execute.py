def execute(context):
    print(f"about to run {context.skill.name}")
