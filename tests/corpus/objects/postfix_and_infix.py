"""Arithmetic written as text: a stack of numbers, and one of operators."""


#numptx export postfix(str)
# run: postfix("3 4 + 2 *")
# run: postfix("-1.5")
# run: postfix("1 +")
# run: postfix("1 0 /")
# run: postfix("1 x +")
# run: postfix("")
# run: postfix("1 2 3")
def postfix(text):
    stack = []
    for token in text.split():
        if token in ("+", "-", "*", "/"):
            right = stack.pop()
            left = stack.pop()
            if token == "+":
                stack.append(left + right)
            elif token == "-":
                stack.append(left - right)
            elif token == "*":
                stack.append(left * right)
            else:
                stack.append(left / right)
        else:
            stack.append(float(token))
    if len(stack) != 1:
        raise ValueError(f"{len(stack)} values are left: {stack}")
    return stack[0]


#numptx export to_postfix(str)
# run: to_postfix("1 + 2 * ( 3 - 4 ) ^ 2")
# run: to_postfix("")
# run: to_postfix("( 1")
# run: to_postfix("α + β * α")
def to_postfix(text):
    precedence = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
    output, operators = [], []
    for token in text.split():
        if token == "(":
            operators.append(token)
        elif token == ")":
            while operators[-1] != "(":
                output.append(operators.pop())
            operators.pop()
        elif token in precedence:
            while operators and operators[-1] != "(" and precedence[operators[-1]] >= precedence[token]:
                output.append(operators.pop())
            operators.append(token)
        else:
            output.append(token)
    while operators:
        operator = operators.pop()
        if operator == "(":
            raise ValueError("a parenthesis is not closed")
        output.append(operator)
    return " ".join(output)
